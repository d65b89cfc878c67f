{#
about = "one row per table, column of floating-point ids and id: the number of its rows, and the bound from which whole numbers are missing"
#}
{% for role, column in float_ids %}
select
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
    {{ double("t." ~ column) }} as id,
    {{ "1.6777216e7" if types[role][column] == "FLOAT" else "9.007199254740992e15" }} as bound,
    count(*) as events
from given_{{ role }} as t
where t.{{ column }} is not null
group by t.{{ column }}
{{ "union all" if not loop.last }}
{% endfor %}
