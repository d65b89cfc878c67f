{#
about = "sum of the gains of the hits"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains"]
#}
{{ summed("h.gain") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain))
