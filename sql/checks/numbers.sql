{#
message = "{option}: {value} is not {bound}"
place = 1
#}
{% set open = options.open_numbers() %}
{% if open %}
select
    {{ sentence(option="o.name", value="o.value", bound="case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end") }} as message
from (
    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
    from (
{% for option in open %}
{% set bound = " > " ~ option.above if option.above is not none else " >= " ~ option.at_least if option.at_least is not none %}
        select {{ literal(option.name) }} as name, {{ sql.text(option.name) }} as value, try_cast({{ option.name }} as double) as number, {{ "true" if option.type == "integer" else "false" }} as whole, {{ literal(option.bound) }} as bound, {{ "try_cast(" ~ option.name ~ " as double)" ~ bound if bound else "true" }} as holds
        {{ "union all" if not loop.last }}
{% endfor %}
    ) as n
    where n.value is not null
) as o
where not (o.is_number and o.holds)
order by o.name asc
limit 1
{% endif %}
