{#
row = "one row per pair of models, metric, cut-off and size of a difference: the number of users who have it, and their wins less their losses"
grain = "pair"
kept = true
#}
{% if test == "wilcoxon" %}
{# The sizes are ranks from 1, the smallest first. Users with the same size share the mean of their ranks, doubled to be a whole number. #}
{% endif %}
select
    s.pair,
    s.place,
    s.k,
    s.users,
    s.ahead,
{% if test == "wilcoxon" %}
    2e0 * sum(s.users) over (partition by s.pair, s.place, s.k order by s.size asc) - s.users + 1e0 as size
{% else %}
    s.size,
    sum(s.users) over (partition by s.pair, s.place, s.k order by s.size desc) - s.users as larger
{% endif %}
from (
    select
        d.pair,
        d.place,
        d.k,
        abs(d.difference) as size,
        cast(sum(d.users) as bigint) as users,
        cast(sum(case when d.difference > 0e0 then d.users else -d.users end) as bigint) as ahead
    from alike_differences as d
    group by d.pair, d.place, d.k, abs(d.difference)
) as s
