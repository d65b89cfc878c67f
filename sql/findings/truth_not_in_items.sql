{#
about = "relevant items are not in items"
matters = "no model that recommends from items can hit them"
advice = "leave them out of the truth, or add them to items"
severity = "warning"
unit = "items"
table = "truth"
column = "item_id"
needs = ["items"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.in_items = 0 then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when i.in_items = 0 then i.id end)") }} as example
from item_ids as i
where i.in_truth = 1
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_truth = 1 and i.in_items = 0
