{#
row = "one row per item with a category: the number of its categories"
grain = "list"
#}
select g.item_id, {{ double("count(*)") }} as categories
from item_categories as g
group by g.item_id
