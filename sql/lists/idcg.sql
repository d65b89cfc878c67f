{#
about = "sum of the discounted gains of the ideal list in the top k"
#}
{% set length = {"truth_uncut": "", "truth_returned": "[:least(l.k, l.returned)]"}.get(ideal, "[:l.k]") %}
{% set gains = "list_sort(l.gains[:l.k], 'DESC', 'NULLS LAST')" if truth_window == "k" and ideal != "truth_as_given" else "l.gains" %}
{% if ideal == "constant" %}
list_sum(list_transform(range(1, l.k + 1), lambda r: {{ discount_at("r") }}))
{% elif ideal == "candidates" %}
coalesce(list_sum(list_transform(
    list_sort(list_transform(l.hits, lambda h: h.gain), 'DESC')[:l.k],
    lambda g, r: g * {{ discount_at("r") }}
)), 0e0)
{% else %}
coalesce(list_sum(list_transform({{ gains }}{{ length }}, lambda g, r: g * {{ discount_at("r") }})), 0e0)
{% endif %}
