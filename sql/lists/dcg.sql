{#
about = "sum of the discounted gains of the hits"
#}
{{ sql.exact_total(rendering.found_at_k, "h", ("h.gain * " if rendering.gained) ~ "l.weights[h.rank]") }}
