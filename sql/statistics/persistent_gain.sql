{#
about = "sum of gain x p^(rank - 1) over the hits"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains"]
#}
{{ summed("h.gain * power(" ~ double(rbp_p) ~ ", h.rank - 1)") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * power({{ double(rbp_p) }}, h.rank - 1)))
