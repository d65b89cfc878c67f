{#
about = "the truth has fewer than 200 users with relevant items"
matters = "differences of a few hundredths are within chance"
advice = "add interval=0.95, and compare models with recsql.compare"
severity = "warning"
unit = "users"
table = "truth"
column = "user_id"
counts = "users_with_truth < 200"
#}
select
    {{ sql.text("null") }} as model,
    case when count(*) < 200 then count(*) end as found,
    {{ sql.text("null") }} as total,
    min(u.id) as example
from user_ids as u
where u.in_truth = 1
{# rows #}
select u.id as user_id
from user_ids as u
where u.in_truth = 1
