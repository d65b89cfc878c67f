{#
row = "one row per user and popular item that the user lacks, with its rank among these"
grain = "baseline"
#}
{# Among the first k + m items, a user with m items lacks k or more. #}
select
    n.user_id,
    n.item_id,
    row_number() over (partition by n.user_id order by n.place asc) as rank
from (
    select a.user_id, p.item_id, p.place
    from audience as a
    cross join cutoffs as c
    inner join popular as p on p.place <= c.k + a.items
) as n
left join owned as o on o.user_id = n.user_id and o.item_id = n.item_id
where o.item_id is null
