{#
message = "{option}: {value} is not {bound}"
place = 1
#}
{% set open = options.open_numbers() %}
{% if open %}
select
    {{ sentence(option="o.name", value="o.value", bound="o.bound") }} as message
from (
{% for option in open %}
    select {{ literal(option.name) }} as name, {{ sql.text(option.name) }} as value, {{ literal(option.bound) }} as bound, {{ double(option.name) ~ (" > " ~ option.above if option.above is not none else " >= " ~ option.at_least) }} as holds
    {{ "union all" if not loop.last }}
{% endfor %}
) as o
where not o.holds
order by o.name asc
limit 1
{% endif %}
