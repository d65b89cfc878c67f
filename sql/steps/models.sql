{#
row = "one row per model; where nothing is recommended, one row without a name"
#}
{% if inputs.modelled %}
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
