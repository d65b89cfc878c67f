{#
message = "{items}: `category` is {found}; unnest it in a view, with one category per row"
place = 2
on = ["item_categories"]
when = "named"
#}
select
    {{ sentence(found="typeof(i.category)") | indent }} as message
from given_items as i
where typeof(i.category) like '%]'
limit 1
