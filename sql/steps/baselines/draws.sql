{#
row = "one row per user of the truth: the number of draws that gives n new items, almost certainly; NULL if it is no smaller than the pool"
grain = "baseline"
when = "target == 'candidates'"
#}
{# Each draw gives a new item with at least the chance that all items have which are neither theirs nor the n likeliest. #}
{% set draws = "2e0 * (" ~ n ~ " + 20) * s.total / nullif(greatest(s.total - s.likeliest - coalesce(k.weight, 0), 0), 0)" %}
select
    u.user_id,
    s.total,
    case when {{ draws }} < s.items then cast({{ draws }} as bigint) end as draws
from (select distinct t.user_id from given_truth as t) as u
cross join (
    select
        count(*) as items,
        cast(sum(w.weight) as bigint) as total,
        cast(sum(case when w.place <= {{ n }} then w.weight end) as bigint) as likeliest
    from (select p.weight, row_number() over (order by p.weight desc) as place from pool as p) as w
) as s
left join (
    select k.user_id, cast(sum(p.weight) as bigint) as weight
    from known_items as k
    inner join pool as p on p.item_id = k.item_id
    group by k.user_id
) as k on k.user_id = u.user_id
