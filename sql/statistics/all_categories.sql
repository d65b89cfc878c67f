{#
about = "categories in the table of items"
over = "user"
needs = ["list_categories_at_k"]
#}
{{ double("(select count(distinct g.category) from item_categories as g)") }}
