{#
about = "sum over the components of the squared sum of the unit vectors of the items, less the sum of their squares"
over = "list_components"
#}
{{ sql.exact_sum("c.total * c.total - c.squares") }}
