{# The truth of each user, and n items that are neither in it nor in train. #}
select c.user_id, c.item_id
from (
    select k.user_id, k.item_id
    from known_items as k
    where k.judged = 1
    union all
    select d.user_id, d.item_id
    from drawn as d
    where d.place <= {{ n }}
) as c
where {{ measurable() }}
