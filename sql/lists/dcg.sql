{#
about = "sum of the discounted gains of the hits"
needs = ["found", "weights", "k if deep"]
#}
{{ sql.exact_total(found_at_k, "h", ("h.gain * " if gained) ~ "l.weights[h.rank]") }}
