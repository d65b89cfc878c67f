{#
row = "one row per item with a category: the number of its categories"
grain = "list"
when = "of_users and (needs.list_pairs_at_k or needs.list_tastes_at_k)"
#}
select g.item_id, {{ double("count(*)") }} as categories
from item_categories as g
group by g.item_id
