{#
row = "one row per user of the truth: the number of draws that almost certainly gives n new items; NULL if the pool has no more than that"
grain = "baseline"
#}
{# The chance that a draw gives a new item is at least that of an item that is neither the user's nor among the n likeliest. #}
select w.user_id, w.total, case when w.draws < w.items then cast(floor(w.draws) as bigint) end as draws
from (
    select
        u.user_id,
        s.items,
        s.total,
        2e0 * ({{ n }} + 20) * s.total / nullif(greatest(s.total - s.likeliest - coalesce(k.weight, 0), 0), 0) as draws
    from (select distinct t.user_id from given_truth as t) as u
    cross join (
        select
            count(*) as items,
            cast(sum(p.weight) as bigint) as total,
            cast(sum(case when p.place <= {{ n }} then p.weight end) as bigint) as likeliest
        from (select p.weight, row_number() over (order by p.weight desc) as place from pool as p) as p
    ) as s
    left join (
        select k.user_id, cast(sum(p.weight) as bigint) as weight
        from known_items as k
        inner join pool as p on p.item_id = k.item_id
        group by k.user_id
    ) as k on k.user_id = u.user_id
) as w
