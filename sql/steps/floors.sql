{#
row = "one row per list with an item that may be relevant: the lowest score of such items; what is below it needs no rank"
#}
select r.model, r.user_id, min(r.score) as score
from (
    select r.model, r.user_id, r.item_id, r.score
    from given_recs as r
    union all
    select null as model, t.user_id, t.item_id, null as score
    from given_truth as t
    where false
) as r
{{ rendering.expression("expressions/bits_set.sql") }}
group by r.model, r.user_id
