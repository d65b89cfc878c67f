{#
row = "one row per model; where nothing is recommended, one row without a name"
#}
{% if inputs.modelled %}
{% set parts = "parts" in inputs.tables %}
{% set lists = "given_parts as r" if parts else "given_recs as r" %}
{% set there = "where r.has_lists" if parts %}
select distinct r.model
from {{ lists }}
{{ there }}
union all
{% if inputs.partial %}
select chr(1) as model -- a model that has no list
{% else %}
select {{ sql.text("null") }} as model
where not exists (select 1 from {{ lists }}{{ " " ~ there if there }})
{% endif %}
{% else %}
select {{ sql.text("null") }} as model
{% endif %}
