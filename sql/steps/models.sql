{#
row = "one row per model; where nothing is recommended, one row without a name"
#}
{% if "parts" in inputs.tables %}
select distinct p.model
from given_parts as p
where p.has_lists
union all
select {{ sql.text("null") }} as model
where not exists (select 1 from given_parts as p where p.has_lists)
{% elif inputs.modelled %}
select distinct r.model
from given_recs as r
union all
{% if inputs.partial %}
select chr(1) as model -- a model that has no list
{% else %}
select {{ sql.text("null") }} as model
where not exists (select 1 from given_recs as r)
{% endif %}
{% else %}
select {{ sql.text("null") }} as model
{% endif %}
