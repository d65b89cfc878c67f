{#
message = "{recs} has no rows, so every user counts as having no list"
warning = true
when = "unproven"
#}
{% macro empty(name, condition="") %}
select
    {{ sentence(recs=name) | indent }} as message
from (select count(*) as listed from given_recs as r{{ condition }}) as n
where n.listed = 0
{% endmacro %}
{% for model, name in tables.recs.models.items() %}
{{ empty(name, " where r.model = " ~ literal(model)) }}
{% if not loop.last %}
union all
{% endif %}
{% else %}
{{ empty(tables.recs.name) }}
{% endfor %}
