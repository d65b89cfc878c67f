{#
about = "the sum of each item's shares of the lists, in units of 1e-18; with `x`, per group of users"
#}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k,
    y.item_id{% if x %},
    {{ x }}.part{% endif %}{% for one in weight_columns %},
    {{ sql.exact_units("y." ~ one) }} as {{ one }}{% endfor %}

from list_shares as y
{% if sliced %}
{{ with_segments("y") }}
{% endif %}
{% if x %}
inner join list_groups as {{ x }} on {{ same_model(x, "y") }}{{ x }}.user_id = y.user_id
{% endif %}
group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k, y.item_id{{ ", " ~ x ~ ".part" if x }}
