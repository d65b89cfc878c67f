{#
row = "one row per possibly relevant recommended item, with its score"
before = "floors"
kept = true
sized = true
#}
select {{ model("r") }}r.user_id, r.item_id, r.score
from (
    select {{ model("r") }}r.user_id, r.item_id, r.score
    from given_recs as r
    union all
    select {{ "null as model, " if modelled }}t.user_id, t.item_id, null as score
    from given_truth as t
    where false
) as r
{{ bits_set() }}
