{#
about = "one row per table, column of floating-point ids and id: the number of its rows, and the bound from which whole numbers are missing"
#}
{% set columns = [("recs", "user_id"), ("recs", "item_id"), ("truth", "user_id"), ("truth", "item_id")] if named else float_ids %}
{% for role, column in columns %}
select
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
{% if named %}
    try_cast(t.{{ column }} as double) as id,
    case when typeof(t.{{ column }}) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
{% else %}
    {{ double("t." ~ column) }} as id,
    {{ "1.6777216e7" if types[role][column] == "FLOAT" else "9.007199254740992e15" }} as bound,
{% endif %}
    count(*) as events
from given_{{ role }} as t
where t.{{ column }} is not null{{ " and typeof(t." ~ column ~ ") in ('FLOAT', 'DOUBLE')" if named }}
group by t.{{ column }}
{{ "union all" if not loop.last }}
{% endfor %}
