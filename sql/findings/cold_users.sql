{#
about = "users with relevant items are not in train"
matters = "a model that knows only the users of train has no list for them"
advice = "slice by activity to see them apart, or leave them out with users="
severity = {warning = 0.05}
unit = "users"
table = "truth"
column = "user_id"
needs = ["train.user_id"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.train_rows = 0 then 1 end) as found,
    count(*) as total,
    min(case when i.train_rows = 0 then {{ sql.text("i.id") }} end)
    || ' (without them, at most '
    || {{ sql.text("round(" ~ double("count(case when i.train_rows > 0 then 1 end)") ~ " / count(*), 2)") }}
    || ' of the users can be hit)' as example
from user_rows as i
where i.id is not null and i.relevant_rows > 0
{# rows #}
select i.id as user_id, i.relevant_rows
from user_rows as i
where i.relevant_rows > 0 and i.train_rows = 0
