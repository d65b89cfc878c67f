{#
about = "sum of the discounted gains of the ideal list in the top k"
#}
{% set length = {"truth_uncut": "", "truth_returned": "[:least(l.k, l.returned)]"}.get(ideal, "[:l.k]") %}
{% set gains = "list_sort(l.gains[:l.k], 'DESC', 'NULLS LAST')" if truth_window == "k" and ideal != "truth_as_given" else "l.gains" %}
{% if ideal == "constant" %}
recsql.list_total(list_transform(range(1, l.k + 1), lambda r: {{ discount_at("r") }}))
{% elif ideal == "candidates" %}
recsql.list_total(list_transform(
    list_sort(list_transform(l.hits, lambda h: h.gain), 'DESC')[:l.k],
    lambda g, r: g * {{ discount_at("r") }}
))
{% else %}
recsql.list_total(list_transform({{ gains }}{{ length }}, lambda g, r: g * {{ discount_at("r") }}))
{% endif %}
