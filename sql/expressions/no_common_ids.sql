{#
about = "one row with the ids of the truth if none of them is in the lists, over the step `ids`"
#}
select
    {{ sql.text("null") }} as model,
    case when sum(i.in_recs * i.in_truth) = 0 then sum(i.in_truth) end as found,
    sum(i.in_truth) as total,
    coalesce(min(case when i.in_recs = 1 then {{ sql.text("i.id") }} end), 'no ids')
    || ' in recs, '
    || min(case when i.in_truth = 1 then {{ sql.text("i.id") }} end)
    || ' in truth' as example
from {{ ids }} as i
