{#
about = "sum of the discounted gains of the hits"
over = "hits"
made_with = "gain"
empty = "0e0"
#}
{{ sql.exact_sum(likely("h.gain * " ~ discount("h.rank"))) }}
