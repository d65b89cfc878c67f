{#
row = "one row per item and component of its vector that is not 0"
grain = "list"
#}
select v.item_id, v.place, cast(v.value as double) as value
from (
    select i.item_id, {{ sql.components("i.vector") }}
    from (
        select i.item_id, max(i.vector) as vector
        from given_items as i
        where i.item_id is not null
        group by i.item_id
    ) as i
) as v
where v.value <> 0
