{#
row = "one row if the input can't be measured: the message of the check with the lowest place"
#}
select {{ sql.of_first("p.message", "p.place") }} as message
from (
{% for check, text in rendering.checks().items() %}
    select {{ check.header.place }} as place, p.message
    from (
        {{ text | indent(8) }}
    ) as p
    {{ "union all" if not loop.last }}
{% else %}
    select 0 as place, {{ sql.text("null") }} as message
    where false
{% endfor %}
) as p
having count(*) > 0
