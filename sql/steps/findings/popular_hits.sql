{#
row = "one row per user who has a hit among the k most popular items of train that they lack"
#}
select f.user_id
from popular_firsts as f
left join (
    select t.user_id, count(distinct i.place) as items
    from given_train as t
    inner join popular_items as i on i.item_id = t.item_id
    inner join popular_firsts as f on f.user_id = t.user_id and f.place > i.place
    where f.place > {{ depth }}
    group by t.user_id
) as o on o.user_id = f.user_id
where f.place - coalesce(o.items, 0) <= {{ depth }}
