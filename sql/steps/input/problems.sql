{#
row = "one row with the reason if the input can't be measured"
#}
select {{ sql.of_first("p.message", "p.place") }} as message
from (
{% if not named %}
    select 0 as place, {{ sql.text("null") }} as message
    where false
{% endif %}
{% for check in checks() %}
{% if named %}
{% set row = "select " ~ check.place ~ (" as place" if loop.first else "") ~ ", c.message from" %}
    {{ "union all " if not loop.first }}{{ check.text | replace("union all\n", "union all ") | replace("select c.message\nfrom", row) | indent }}
{% else %}
    union all
    select {{ check.place }} as place, p.message
    from (
        {{ check.text | indent(8) }}
    ) as p
{% endif %}
{% endfor %}
) as p
having count(*) > 0
