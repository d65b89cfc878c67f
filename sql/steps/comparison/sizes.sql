{#
row = "one row per pair of models, metric and cut-off: the moments of the differences, and their step if all are multiples of the smallest"
grain = "pair"
kept = true
when = "by_flips"
#}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "d.difference")) }}{% endmacro %}
{# Sums are in the order of the differences, whatever that of the rows. #}
select
    d.pair,
    d.place,
    d.k,
    sum(d.users) as users,
    {{ total("d.users * d.difference") }} as total,
    {{ total("d.users * power(d.difference, 2)") }} as squares,
    {{ total("d.users * power(d.difference, 4)") }} as fourths,
    {{ total("d.users * power(d.difference, 6)") }} as sixths,
    case
        when max(abs(abs(d.difference) / d.smallest - round(abs(d.difference) / d.smallest))) < 1e-6 then min(d.smallest)
        else 0e0
    end as step
from (
    select a.*, min(abs(a.difference)) over (partition by a.pair, a.place, a.k) as smallest
    from alike_differences as a
) as d
group by d.pair, d.place, d.k
