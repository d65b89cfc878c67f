{#
row = "one row per item in train: its rows, and its users if a metric counts these; NULL if it has none"
grain = "item"
#}
select
    t.item_id,
{% if train_users_counted %}
    nullif(count(t.user_id), 0) as users,
    cast(sum(t.interactions) as bigint) as interactions
from (
    select t.item_id, t.user_id, count(*) as interactions
    from given_train as t
    where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent(8) }}
    group by t.item_id, t.user_id
) as t
{% else %}
    count(*) as interactions
from given_train as t
where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent }}
{% endif %}
group by t.item_id
