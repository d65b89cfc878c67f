{#
row = "one row per list whose ranks have gaps, with its ranks"
#}
{% set once = condition(duplicates="set") %}
select i.model, i.user_id, {{ sql.collected("i.rank") }} as ranks
from (
    select r.model, r.user_id, r.item_id, min(r.rank) as rank
    from ranked as r
    inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
    where l.last_rank <> l.returned
    group by r.model, r.user_id, r.item_id{{ ", " ~ once.negated.then("r.rank") if not once.certain }}
) as i
group by i.model, i.user_id
