{#
about = "precision at the rank of each hit, summed"
over = "hits"
empty = "0e0"
#}
{{ sql.exact_sum(likely("h.nth / " ~ double("h.rank"))) }}
