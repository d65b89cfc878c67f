{#
about = "one row per table, column of ids and id, NULL among them: the id as text, and the number of its rows"
#}
{% for column in ["user_id", "item_id"] %}
{% for role in ["recs", "truth", "train", "items"] if role in tables and not (column == "user_id" and (role == "items" or (role == "train" and "user_id" not in tables.train.columns))) %}
{% if column == "item_id" or not loop.first %}
union all
{% endif %}
select
    '{{ role }}' as role,
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
    {{ sql.text("i.id") }} as id,
    i.{{ role }}_rows as events
from {{ column | replace("_id", "_rows") }} as i
where i.{{ role }}_rows > 0
{% endfor %}
{% endfor %}
