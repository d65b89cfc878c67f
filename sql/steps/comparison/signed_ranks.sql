{#
row = "one row per pair of models, metric and cut-off: the rank sum of the wins, as standard deviations from what equal models have"
grain = "pair"
when = "by_signed_ranks"
#}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "r.size")) }}{% endmacro %}
{# The smallest size has rank 1; users with the same size share the mean of their ranks. Sums are in the order of sizes, whatever that of the rows. #}
select
    r.pair,
    r.place,
    r.k,
    ({{ total("r.wins * r.rank") }} - {{ total("r.users * r.rank") }} / 2e0)
    * 2e0 / sqrt({{ total("r.users * r.rank * r.rank") }}) as z
from (
    select s.*, sum(s.users) over (partition by s.pair, s.place, s.k order by s.size asc) - (s.users - 1e0) / 2e0 as rank
    from (
        select
            d.pair,
            d.place,
            d.k,
            abs(d.difference) as size,
            cast(sum(d.users) as bigint) as users,
            cast(sum(case when d.difference > 0e0 then d.users else 0 end) as bigint) as wins
        from alike_differences as d
        group by d.pair, d.place, d.k, abs(d.difference)
    ) as s
) as r
group by r.pair, r.place, r.k
