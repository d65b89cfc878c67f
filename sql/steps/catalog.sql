{#
row = "one row per item of the catalogue"
grain = "item"

[options.items]
input = true
about = "a table of the items that can be recommended; by default, the items in train"
topic = "catalogue"
type = "table"
#}
{% set items = is_given("items") %}
{% set train = is_given("train") %}
{% if items.possible %}
select distinct i.item_id
from given_items as i
where
    i.item_id is not null
    {{ items.also }}
    {{ rendering.guard("id_types", left="recs", right="items", columns=["item_id"]) }}
{% endif %}
{{ items.union_all }}
{% if not items.certain %}
select t.item_id
from train_items as t
{{ items.negated.where }}
{% endif %}
