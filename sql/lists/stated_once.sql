{#
about = "whether each judged item is in the truth only once"
needs = ["judged"]
#}
list_unique(l.judged) = list_count(l.judged)
