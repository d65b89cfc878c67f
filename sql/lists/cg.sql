{#
about = "sum of the gains of the hits"
#}
{{ sql.exact_total(rendering.found_at_k, "h", "h.gain") if rendering.gained else double("len(" ~ rendering.found_at_k ~ ")") }}
