{#
about = "the items from the last to the first; an item whose two positions differ is in the list twice"
#}
list_reverse({{ rendering.field("items") }})
