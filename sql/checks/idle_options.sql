{#
message = "{option}: it applies only if {other} = '{value}'; set that as well, or leave {option} out"
place = 2
#}
{% set open = options.open_idle() %}
{% if open %}
select
    {{ sentence(option="o.name", other="o.other", value="o.value") }} as message
from (
{% for option, other, values in open %}
    select {{ literal(option.name) }} as name, {{ literal(other) }} as other, {{ literal(values) }} as value, {{ option.name }} is distinct from {{ literal(option.default) }} as given, {{ other }} {{ options.among(values.split()) }} as met
    {{ "union all" if not loop.last }}
{% endfor %}
) as o
where o.given and not o.met
order by o.name asc
limit 1
{% endif %}
