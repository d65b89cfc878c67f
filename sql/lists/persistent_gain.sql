{#
about = "sum of gain x p^(rank - 1) over the hits"
#}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * power({{ double(rbp_p) }}, h.rank - 1)))
