{#
about = "sum of precision at the rank of each hit"
#}
{{ sql.exact_total(rendering.found_at_k, "h, n", "n / " ~ double("h.rank")) }}
