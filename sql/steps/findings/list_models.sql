{#
row = "one row per model with lists"
when = "finding"
#}
{% if modelled %}
select distinct f.model
from list_facts as f
{% else %}
select 1 as lists
{% endif %}
