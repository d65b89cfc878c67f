{#
row = "one row per user who gets a list: the number of their items in train"
grain = "baseline"
#}
{% if fixed %}
select a.user_id, count(a.item_id) as items
from (
    select o.user_id, o.item_id
    from owned as o
    union all
    select g.user_id, null as item_id
    from given_users as g{{ guard("id_types", left="past", right="users", columns=["user_id"], before="where") | indent(4) }}
) as a
group by a.user_id
{% else %}
select o.user_id, count(*) as items
from owned as o
group by o.user_id
{% endif %}
