{#
message = "{metric} needs the option {options}"
#}
{% for column in columns %}
{% set name = column.asked.metric %}
{% for required in column.requires %}
select {{ literal(required.message(name)) }} as message
where
    {{ "list_contains(metrics, " ~ literal(name) ~ ")" if required.is_usual else "(metrics is null or list_contains(metrics, " ~ literal(name) ~ "))" }}
    {{ options.satisfied(required).negated.also }}
union all
{% endfor %}
{% endfor %}
