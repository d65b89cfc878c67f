{#
about = "sum of precision at the rank of each hit"
needs = ["found", "k if deep"]
#}
{{ sql.exact_total(found_at_k, "h, n", "n / " ~ double("h.rank")) }}
