{#
row = "one row per item of the catalogue"
grain = "item"

[options.items]
input = true
about = "a table of the items that can be recommended; by default, the items in train"
also = "user"
topic = "catalogue"
type = "table"
#}
{% if named %}
select distinct i.item_id
from given_items as i
where i.item_id is not null{{ guard("id_types", left="recs", right="items", columns=["item_id"]) | indent }}
union all
select t.item_id
from train_items as t
where «items» is null
union all
select distinct r.item_id
from listed as r
where «items» is null and «train» is null
{% elif items is not none %}
select distinct i.item_id
from given_items as i
where i.item_id is not null{{ guard("id_types", left="recs", right="items", columns=["item_id"]) | indent }}
{% else %}
select t.item_id
from train_items as t
{% endif %}
