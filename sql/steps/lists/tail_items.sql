{#
row = "one row per item of the long tail of train"
grain = "list"
#}
{% if tail_share_part == "interactions" %}
select n.item_id
from (
    select
        t.item_id,
        sum(t.users) over (order by t.users desc, t.item_id asc rows between unbounded preceding and current row) - t.users as before,
        sum(t.users) over () as total
    from train_counts as t
) as n
where n.before >= {{ double(tail_share_head) }} * n.total
{% elif tail_share_part == "rows" %}
select t.item_id
from train_counts as t
where t.interactions <= {{ tail_share_rows }}
{% else %}
select n.item_id
from (
    select
        t.item_id,
        row_number() over (order by t.interactions asc, t.item_id asc) as place,
        count(*) over () as items
    from train_counts as t
) as n
where n.place <= greatest(floor({{ double(tail_share_ratio) }} * n.items), 1)
{% endif %}
