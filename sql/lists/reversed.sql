{#
about = "the items in reverse order; an item whose positions in the two orders differ is in the list twice"
#}
list_reverse({{ rendering.field("items") }})
