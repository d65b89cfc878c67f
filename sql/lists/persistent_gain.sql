{#
about = "sum of gain x p^(rank - 1) over the hits"
needs = ["found", "k if deep"]
#}
{{ sql.exact_total(found_at_k, "h", ("h.gain * " if gained) ~ "power(" ~ double(rbp_p) ~ ", h.rank - 1)") }}
