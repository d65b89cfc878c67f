{#
row = "one row per column that is cut into quantiles and value: its quantile among the users with a value"
#}
{# Equal values have the quantile of the first of them. A user with several values counts with each. #}
select
    w.name,
    w.quantiles,
    w.value,
    cast(floor({{ double("w.below * w.quantiles") }} / w.users) as bigint) + 1 as quantile
from (
    select
        n.name,
        n.quantiles,
        n.value,
        cast(sum(n.users) over (partition by n.name, n.quantiles order by n.value asc) - n.users as bigint) as below,
        cast(sum(n.users) over (partition by n.name, n.quantiles) as bigint) as users
    from (
{% for key in quantile_columns %}{% if not loop.first %}

        union all
{% endif %}
        select '{{ key.ours }}' as name, {{ key.cut.quantiles }} as quantiles, d.value, count(*) as users
        from (select distinct v.user_id, {{ number_of(key) }} as value from segment_values as v) as d
        where d.value is not null
        group by d.value{% endfor %}

    ) as n
) as w
