{#
about = "the keys of the rows `x` of a part: model, segment, and the group of users if groups are left out"
#}
{{ x }}.model,
    true as has_lists,
{% if sliced %}
    {{ x }}.slice,
    {{ x }}.segment,
{% endif %}
{% if item_groups %}
    {{ x }}.part as user_group,
{% endif %}
