{#
about = "the discounts of the ranks 1, 2, ... up to the length of the list or the ideal list"
needs = ["items", "truth", "k"]
#}
{% set longest %}
{% if ideal == "constant" %}
l.k
{% elif ideal == "truth_uncut" %}
len(l.truth)
{% else %}
least(len(l.truth), l.k)
{% endif %}
{% endset %}
list_transform(range(1, greatest(len(l.items), {{ longest | trim }}) + 1), lambda r: {{ discount_at("r") }})
