{#
about = "number of items in the top k"
#}
coalesce({{ choose("duplicates", set="list_unique(l.items[:l.k])", otherwise="least(len(l.items), l.k)") }}, 0)
