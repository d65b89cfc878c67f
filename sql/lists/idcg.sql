{#
about = "sum of the discounted gains of the ideal list in the top k"
needs = ["entries", "weights", "k", "found if ideal == 'candidates'", "returned if ideal == 'truth_returned'"]
#}
{% set entries = "list_filter(l.entries, lambda e: e.place <= l.k)" if truth_window == "k" else "l.entries" %}
{% set candidates = "l.found" if ideal == "candidates" else entries %}
{% set length %}
{% if ideal == "truth_uncut" %}
len(l.entries)
{% elif ideal == "truth_returned" %}
least(l.k, l.returned)
{% else %}
l.k
{% endif %}
{% endset %}
{% set length = length | trim %}
{% set gain = "e.gain * " if gained %}
{% if ideal == "constant" %}
list_sum(l.weights[:l.k])
{% elif ideal == "truth_as_given" %}
list_sum(list_transform(list_filter(l.entries, lambda e: e.place <= l.k), lambda e: {{ gain }}l.weights[e.place]))
{% elif gained %}
list_sum(list_transform((list_sort(list_transform({{ candidates }}, lambda e: e.gain), 'DESC'))[:{{ length }}], lambda y, i: y * l.weights[i]))
{% else %}
list_sum(l.weights[:least(len({{ candidates }}), {{ length }})])
{% endif %}
