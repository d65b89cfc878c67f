{#
message = "{items}: no item has a category; entropy_scope='category' needs a column category with one category per row"
place = 2
on = ["item_categories"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as categories from item_categories as i) as n
where n.categories = 0
