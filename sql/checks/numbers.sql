{#
message = "{option}: {value} is not {bound}"
place = 1
#}
{% set open = options.open_numbers() %}
{% macro within(option) %}
{% for sign, bound in ((">", option.above), (">=", option.at_least), ("<=", option.at_most)) if bound is not none %}
{{ " and " if not loop.first }}try_cast({{ option.name }} as double) {{ sign }} {{ bound }}
{%- else %}
true
{%- endfor %}
{% endmacro %}
{% if open %}
select
    {{ sentence(option="o.name", value="o.value", bound="case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end") }} as message
from (
    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
    from (
{% for option in open %}
        select {{ literal(option.name) }} as name, {{ sql.text(option.name) }} as value, try_cast({{ option.name }} as double) as number, {{ "true" if option.type == "integer" else "false" }} as whole, {{ literal(option.bound) }} as bound, {{ within(option) | trim }} as holds
        {{ "union all" if not loop.last }}
{% endfor %}
    ) as n
    where n.value is not null
) as o
where not (o.is_number and o.holds)
order by o.name asc
limit 1
{% endif %}
