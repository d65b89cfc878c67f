{#
row = "one row per relevant item: its place by the number of its relevant rows, ties by item id, and the number of such items"
#}
select
    t.item_id,
    count(*) as relevant_rows,
    count(*) over () as items,
    row_number() over (order by count(*) desc, t.item_id asc) as place
from given_truth as t
where t.item_id is not null and {{ is_relevant() }}
group by t.item_id
