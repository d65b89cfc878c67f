{#
row = "one row per pair of models, metric that is not a mean and cut-off: both values, the standard error of their difference by the jackknife, and the number of groups"
grain = "pair"
#}
{# If the difference is the same without each group but for rounding, nothing tells how far off it could be, unless there is none. #}
{% set all_keys = "v.model, v.baseline, " ~ ("v.slice, v.segment, " if pairs_sliced else "") ~ "v.place, v.k" %}
select
    w.*,
    j.groups,
    case
        when j.std_error > 1e-13 * greatest(abs(w.value), abs(w.baseline_value)) then j.std_error
        when w.value = w.baseline_value then 0e0
    end as std_error
from paired_values as w
left join (
    select
        {{ all_keys }},
        {{ sql.length("v.entries") }} as groups,
        {{ jackknife_error("v.entries", mean="v.mean") | indent(8) }} as std_error
    from (
        select {{ all_keys }}, v.entries, {{ sql.total("v.entries") }} / {{ sql.length("v.entries") }} as mean
        from (
            select {{ all_keys }}, {{ sql.ordered_list("v.value - v.baseline_value", "v.part") }} as entries
            from paired_values as v
            where v.part is not null and v.value - v.baseline_value is not null
            group by {{ all_keys }}
        ) as v
    ) as v
) as j
    on j.model is not distinct from w.model and j.baseline is not distinct from w.baseline and {{ same_segment("j", of="w") }}j.place = w.place and j.k = w.k
where w.part is null
