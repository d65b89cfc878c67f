{#
about = "the mean of 1 / rank at which a reader of the ideal list stops: the k relevant items with the highest grades"
needs = ["entries", "k"]
#}
{% set gains = "list_sort(list_transform(l.entries, lambda e: e.gain), 'DESC')" if gained else "list_transform(l.entries, lambda e: 1e0)" %}
{{ sql.mean_stop("(" ~ gains ~ ")[:l.k]", stop_chance("g")) }}
