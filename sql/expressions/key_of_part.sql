{#
about = "the keys of the rows `x` of a part: model and segment"
#}
{{ x }}.model,
    true as has_lists,
{% if sliced %}
    {{ x }}.slice,
    {{ x }}.segment,
{% endif %}
