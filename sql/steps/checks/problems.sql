{#
row = "one row if the input can't be measured: the message of the check with the lowest place"
when = "checked"
#}
select {{ sql.of_first("p.message", "p.place") }} as message
from (
    select 0 as place, {{ sql.text("null") }} as message
    where false
{% for check in checks %}
{% if check.runs %}
    union all
    select {{ check.place }} as place, p.message
    from (
        {{ check.text | indent(8) }}
    ) as p
{% endif %}
{% endfor %}
) as p
having count(*) > 0
