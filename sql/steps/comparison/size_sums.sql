{#
row = "one row per pair of models, metric and cut-off: the sums of the sizes and of their squares, and the sum with the signs of the differences"
grain = "pair"
kept = true
#}
{# Sums are in the order of the sizes, not of the rows. #}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "s.size")) }}{% endmacro %}
{% set top = "least(s.users, greatest(500 - s.larger, 0))" %}
select
    s.pair,
    s.place,
    s.k,
    sum(s.users) as users,
    {{ total("s.ahead * s.size") }} as total,
    {{ total("s.users * s.size") }} as sum,
    {{ total("s.users * s.size * s.size") }} as squares{% if by_flips %},
    count(*) as sizes,
    min(s.size) as smallest,
    max(s.size) as largest,
    {{ total(top ~ " * s.size") }} + 9e0 * sqrt({{ total("(s.users - " ~ top ~ ") * s.size * s.size") }}) as reach{% endif %}

from sizes as s
group by s.pair, s.place, s.k
