{#
about = "ranks are not whole numbers that start at 1"
matters = "evaluate refuses them, because a rank of 0 or 1.5 is no place in a list"
advice = "number each list from 1 on with row_number(); if ranks start at 0, add 1"
severity = "error"
unit = "rows"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank and 'means' not in tables"
#}
select
    {{ model_of("r") }},
    count(case when {{ is_no_rank() | indent }} then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when " ~ is_no_rank() | indent ~ " then r.rank end)") }} as example
from given_recs as r{{ "\nwhere r.rank_by = 'rank'" if any_order }}
{{ group_by_model("r") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.rank
from given_recs as r
where {{ is_no_rank() }}
