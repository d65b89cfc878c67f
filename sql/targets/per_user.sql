{# One row per model, user and cut-off, with a column per metric. #}
select
    {{ model_of("s") }},
    {{ as_given("s.user_id") }},
    {{ as_k("s.k") }},
    s.list_length,
    s.relevant{% for one in slices %},
    {{ segments_told(one) }}{% endfor %}{% for column in user_columns %}{% if column.shown %},
    s.{{ column.name }}{{ " as " ~ column.title if column.title != column.name }}{% endif %}{% endfor %}

from per_user as s
{% if segmented %}
left join segment_lists as g on g.user_id = s.user_id
{% endif %}
where
    {{ measurable() }}{% if checked and not named %}

    and {{ beyond_bounds(columns=user_columns, least="s.{}", most="s.{}", failing=true) | indent }} is null{% endif %}

{% if zero_ideal == "skip" %}
    and s.is_counted
{% endif %}
{% if not keyed %}
order by {{ turn("s.model") ~ " asc nulls first, " if modelled }}s.user_id asc, s.k asc
{% endif %}
