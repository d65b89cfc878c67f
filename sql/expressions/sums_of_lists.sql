{#
about = "the `sums` over the lists of `x` for each cut-off; for intervals, also without each group of users"
#}
{% macro sums_by(group) %}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k{% if group %},
    u.part{% endif %}{% for one in sums %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from {{ x }} as y{% if sliced %}

{{ with_segments("y") }}{% endif %}{% if group %}

inner join list_groups as u on {{ same_model("u", "y") }}u.user_id = y.user_id{% endif %}

group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k{{ ", u.part" if group }}
{% endmacro %}
{% if item_groups %}
select
    {{ key_columns("w") }}w.k,
    o.part{% for one in sums %},
    w.{{ one }} - coalesce(g.{{ one }}, 0) as {{ one }}{% endfor %}

from (
    {{ sums_by(false) | trim | indent }}
) as w
{{ with_left_out("w") }}
left join (
    {{ sums_by(true) | trim | indent }}
) as g on {{ same_keys("g", "w") }}g.k = w.k and g.part = o.part
{% else %}
{{ sums_by(false) }}
{% endif %}
