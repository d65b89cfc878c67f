{#
about = "the mean of 1 / rank at which a reader of the ideal list stops: the k relevant items with the highest grades"
#}
{% set gains = "list_sort(list_filter(l.gains, lambda g: g is not null), 'DESC')" if in_order else "l.gains" %}
{{ sql.mean_stop(gains ~ "[:l.k]", stop_chance("g")) }}
