{#
row = "one row per user of the truth and item that the user already has, in the truth or in train"
grain = "baseline"
#}
select k.user_id, k.item_id, max(k.judged) as judged
from (
    select t.user_id, t.item_id, 1 as judged
    from given_truth as t{{ guard("id_types", left="truth", right="past", columns=["user_id", "item_id"], before="where") | indent(4) }}
    union all
    select p.user_id, p.item_id, 0 as judged
    from given_past as p
    where p.user_id in (select t.user_id from given_truth as t)
) as k
group by k.user_id, k.item_id
