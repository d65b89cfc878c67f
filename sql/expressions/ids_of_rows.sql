{#
about = "one row per id of `rows`, with the tables that have it; `rows` counts the rows of each id"
#}
{% set with_train = "train" in tables and (id == "item_id" or "user_id" in tables.train.columns) %}
select
    i.id,
    case when i.recs_rows > 0 then 1 else 0 end as in_recs,
    case when i.relevant_rows > 0 then 1 else 0 end as in_truth{% if with_train %},
    case when i.train_rows > 0 then 1 else 0 end as in_train{% endif %}{% if id == "item_id" and "items" in tables %},
    case when i.items_rows > 0 then 1 else 0 end as in_items{% endif %}

from {{ rows }} as i
where i.id is not null{% if id == "user_id" and fixed %}

    and i.id in (select g.user_id from given_users as g){% endif %}

