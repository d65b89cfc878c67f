{#
about = "sum of the discounted gains of the hits"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains"]
#}
{{ summed("h.gain * " ~ discount_at("h.rank")) }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * {{ discount_at("h.rank") }}))
