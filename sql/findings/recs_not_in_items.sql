{#
about = "lists have items that are not in items"
matters = "they may be no longer on offer, or ids of another system; each takes a place in a list"
advice = "leave them out before you rank, or add them to items"
severity = "warning"
unit = "items"
table = "recs"
column = "item_id"
needs = ["items"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.in_items = 0 then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when i.in_items = 0 then i.id end)") }} as example
from item_ids as i
where i.in_recs = 1
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_recs = 1 and i.in_items = 0
