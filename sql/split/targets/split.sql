{# Every interaction with its part, in each fold. #}
{% if dropped or split__target != "all" %}
select
    {{ sql.without("t", "part" ~ (", row_place" if by_row else "")) }},
    case when t.part in ('cold_user', 'cold_item', 'repeat', 'not_target') then 'unused' else t.part end as part
{% else %}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
{% endif %}
from {{ split_result() }} as t
where {{ measurable() }}
