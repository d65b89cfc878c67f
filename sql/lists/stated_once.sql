{#
about = "whether each relevant item is stated once"
#}
list_unique(l.truth) = list_count(l.truth)
