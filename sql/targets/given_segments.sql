{# The table in the option segments. A column that it lacks is NULL, without a type. #}
select
    s.user_id{% for one in segment_columns %},
    s.{{ one.quoted }} as {{ one.ours }}{% endfor %}

from (
    from {{ source }}{% if by_column %}

    union all by name
    select {% for one in segment_columns %}{{ ", " if one.place > 1 }}null as {{ one.quoted }}{% endfor %}

    where false{% endif %}

) as s
