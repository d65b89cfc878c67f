{#
row = "one row per model that has lists or a name"
#}
{% if modelled %}
select distinct f.model
from list_facts as f{% for model in tables.recs.models %}

union
select {{ literal(model) }} as model{% endfor %}

{% else %}
select 1 as lists
{% endif %}
