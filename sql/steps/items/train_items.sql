{#
row = "one row per item in train"
grain = "item"
also = "segment user"

[options.train]
input = true
about = "a table of the interactions that the models were trained on"
topic = "catalogue"
type = "table"
#}
select distinct t.item_id
from given_train as t
where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent }}
