{#
row = "one row per mean: its standard error, with the users of a cluster taken together, and what the interval needs"
#}
{# If all values are equal, rounding leaves a small error. #}
select
    {{ key_columns("v") }}v.place,
    v.k,
    v.value,
    v.is_scored,
    v.clusters - 1e0 as df,
    v.std_error,
    case
        when v.clusters < 2 then null
        when v.std_error = 0e0 then cast(v.clusters as double)
        else v.value * (1e0 - v.value) / nullif(v.std_error * v.std_error, 0e0)
    end as effective_users,
    v.clusters < 40 or v.others < 50 as few
from (
    select
        t.*,
        case
            when t.errors > 1e-10 * t.squares
                then sqrt(t.errors * t.clusters / nullif(t.clusters - 1e0, 0e0)) / nullif(t.users, 0)
            when t.is_scored then 0e0
        end as std_error
    from (
        select
            {{ key_columns("s") | indent(8) }}s.place,
            s.k,
            s.value,
            s.users,
            {{ of_metric("{scored}", of="s") | indent(12) }} as is_scored,
            {{ of_metric("e.{name}_squares", of="s") | indent(12) }} as squares,
            {{ of_metric("e.{name}_squares - 2e0 * s.value * e.{name}_products + s.value * s.value * e.{name}_sizes", of="s") | indent(12) }} as errors,
            {{ of_metric("e.{name}_clusters", of="s") | indent(12) }} as clusters,
            {{ of_metric("coalesce(t.{name}_others, 0)", of="s") | indent(12) }} as others
        from summary as s
        left join cluster_moments as e on {{ same_keys("e", "s") }}e.k = s.k
        left join totals as t on {{ same_keys("t", "s") }}t.k = s.k{% if grouping %}

        where
            {{ of_metric("true", of="s") | indent(12) }}{% endif %}

    ) as t
) as v
