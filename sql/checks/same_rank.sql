{#
message = "{recs}: items {one} and {other} have the same rank {rank} in the list of user {user}{model}; number each list with row_number(), or use rank_by = 'score' and choose how equal scores count with the option ties"
place = 6
on = ["given_recs"]
#}
{# Copies of one item are for the option duplicates to judge, unless each of them counts. #}
{% set by_rank = condition(rank_by="score").negated %}
{% set each = condition(duplicates="count") %}
{% if by_rank.possible %}
select
    {{ sentence(one="o.one", other="o.other", rank="o.rank", user="o.user_id", model="coalesce(' and model ' || o.model, '')") }} as message
from (
    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
    from {{ "unproven_recs" if rendering.listed else "given_recs" }} as r
    inner join rank_bands as b
        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = {{ sql.band_of("try_cast(r.rank as bigint)") }}
    {{ by_rank.where }}
    group by r.model, r.user_id, r.rank
    having min(r.item_id) <> max(r.item_id){{ " or count(*) > " ~ each.then("1", "count(*)") if each.possible }}
) as o
order by o.model asc nulls first, o.user_id asc, o.rank asc
limit 1
{% endif %}
