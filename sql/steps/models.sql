{#
row = "one row per model; one row without a name if nothing is recommended"
#}
{% if inputs.modelled %}
{% set lists = "owners as r" if "parts" in inputs.tables else "given_lists as r" if rendering.listed else "given_recs as r" %}
select distinct r.model
from {{ lists }}
union all
{% if inputs.partial %}
select chr(1) as model -- stands for a model without lists
{% else %}
select {{ sql.text("null") }} as model
where not exists (select 1 from {{ lists }})
{% endif %}
{% else %}
select {{ sql.text("null") }} as model
{% endif %}
