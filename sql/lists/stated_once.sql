{#
about = "whether each relevant item is in the truth only once"
#}
list_unique(l.truth) = list_count(l.truth)
