{#
row = "one row per model; one row without a name if nothing is recommended"
#}
{% if "recs" in tables and tables.recs.models %}
{% for name in tables.recs.models %}
select {{ sql.text(literal(name)) }} as model
{% if not loop.last or partial %}
union all
{% endif %}
{% endfor %}
{% if partial %}
select chr(1) as model -- stands for a model without lists
{% endif %}
{% elif modelled %}
select distinct r.model
from {{ listing }} as r
union all
{% if partial %}
select chr(1) as model -- stands for a model without lists
{% else %}
select {{ sql.text("null") }} as model
where not exists (select 1 from {{ listing }} as r)
{% endif %}
{% else %}
select {{ sql.text("null") }} as model
{% endif %}
