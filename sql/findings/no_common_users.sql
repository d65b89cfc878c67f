{#
about = "the lists and the truth have no user in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = "error"
unit = "users"
table = "truth"
column = "user_id"
#}
select
    {{ sql.text("null") }} as model,
    case when sum(i.in_recs * i.in_truth) = 0 then sum(i.in_truth) end as found,
    sum(i.in_truth) as total,
    min(case when i.in_recs = 1 then {{ sql.text("i.id") }} end) || ' in recs, ' || min(case when i.in_truth = 1 then {{ sql.text("i.id") }} end) || ' in truth' as example
from user_ids as i
{# rows #}
select i.id as user_id
from user_ids as i
where i.in_truth = 1 and i.in_recs = 0
