{#
about = "sum of the discounted gains of the hits"
#}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * {{ discount_at("h.rank") }}))
