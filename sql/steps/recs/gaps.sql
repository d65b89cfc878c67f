{#
row = "one row per list whose ranks have gaps, with its ranks in order"
#}
select {{ model("i") }}i.user_id, {{ sql.ordered_list("i.rank", "i.rank") }} as ranks
from (
    select {{ model("r") }}r.user_id, r.item_id, min(r.rank) as rank
    from {{ ranked_rows }} as r
    inner join lists as l on {{ same_model("l", "r") }}l.user_id = r.user_id
    where l.last_rank <> l.returned
    group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates != "set" }}
) as i
group by {{ model("i") }}i.user_id
