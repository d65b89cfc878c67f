{#
about = "the items in reverse order; an item whose positions in the two orders differ is in the list twice"
needs = ["closed if selective", "recommended if not selective", "cutoff"]
#}
list_reverse({{ field.items }})
