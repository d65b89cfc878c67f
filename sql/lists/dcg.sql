{#
about = "discounted gains of the hits, summed"
#}
{{ sql.exact_total(rendering.found_at_k, "h", ("h.gain * " if rendering.gained) ~ "l.weights[h.rank]") }}
