{#
about = "number of items in the top k"
needs = ["items", "k"]
#}
coalesce({{ "list_unique(l.items[:l.k])" if duplicates == "set" else "least(len(l.items), l.k)" }}, 0)
