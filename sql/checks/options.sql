{#
message = "{option}: unknown value '{value}'; {hint}choose one of {values}"
place = 1
#}
{% set open = options.open_choices() %}
{% if open %}
select
    {{ sentence(option="o.name", value="o.value", hint=sql.nearest("o.value", "o.choices"), values="array_to_string(o.choices, ', ')") }} as message
from (
{% for option in open %}
    select {{ literal(option.name) }} as name, {{ 'lower("like")' if option.type == "preset" else option.name }} as value, [{{ option.choices | map("sql_literal") | join(", ") }}] as choices
    {{ "union all" if not loop.last }}
{% endfor %}
) as o
where not list_contains(o.choices, o.value)
order by o.name asc
limit 1
{% endif %}
