{#
message = "{option}: ideal supports only {option} = '{plain}', not '{given}'"
place = 2
plain = { ideal = "truth", truth_window = "all" }
#}
{% if inputs.named and inputs.tables | list == ["truth"] %}
{% set plain = rendering.catalog.checks["ideal"].header.plain %}
select
    {{ sentence(option="o.name", plain="o.plain", given="o.given") }} as message
from (
{% for name, value in plain.items() %}
    select {{ literal(name) }} as name, {{ literal(value) }} as plain, {{ option(name) }} as given
    {{ "union all" if not loop.last }}
{% endfor %}
) as o
where o.given <> o.plain
order by o.name asc
limit 1
{% endif %}
