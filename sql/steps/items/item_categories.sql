{#
row = "one row per item and category of the item"
grain = "item"
when = "needs.categories_at_k and of_lists and not parts"
#}
select distinct i.item_id, i.category
from given_items as i
where i.item_id is not null and i.category is not null
