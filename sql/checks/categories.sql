{#
message = "{items}: no item has a category; give it a column category, with one category per row or a LIST"
place = 2
on = ["item_categories"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as categories from item_categories as i) as n
where n.categories = 0
