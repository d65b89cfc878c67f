{# One round of the core, for engines that can't repeat a query: the pairs of users and items that have enough. #}
select r.user_id, r.item_id
from (
    select
        p.user_id,
        p.item_id,
        count(*) over (partition by p.user_id) as items,
        count(*) over (partition by p.item_id) as users
    from {{ pairs }} as p
) as r
where r.items >= {{ core }} and r.users >= {{ core }}
