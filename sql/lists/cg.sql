{#
about = "sum of the gains of the hits"
needs = ["found", "k if deep"]
#}
{{ sql.exact_total(found_at_k, "h", "h.gain") if gained else double("len(" ~ found_at_k ~ ")") }}
