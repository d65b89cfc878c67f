{#
about = "distinct relevant items in the top k"
#}
{{ "list_unique(list_transform(" ~ hits ~ ", lambda r: l.items[r]))" if duplicates == "count" else "len(" ~ hits ~ ")" }}
