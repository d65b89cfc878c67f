{#
row = "one row per table, column of ids and id that stands for none, such as NULL or nan: the number of its rows, and of all"
#}
{# Whole numbers are not read as text: the least one of each block tells that none of its rows has -1. #}
{% for role in ["recs", "truth", "train", "items"] if role in tables %}
{% set before = loop.first %}
{% for column in ["user_id", "item_id"] if role in ["recs", "truth"] or column in tables[role].columns %}
{% if not (before and loop.first) %}
union all
{% endif %}
{% set id = "t." ~ column %}
select
    '{{ role }}' as role,
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
    {{ sql.text(id) }} as id,
    count(*) as events,
    (select count(*) from given_{{ role }} as t) as total
from given_{{ role }} as t
where {{ id }} is null or {{ id ~ " = -1" if types is defined and "INT" in types[role][column] else sql.text(id) ~ " in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')" }}
group by {{ id }}
{% endfor %}
{% endfor %}
