{#
row = "one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank"
#}
{% set by_rank = condition(rank_by="score").negated %}
{% set rank = "try_cast(r.rank as bigint)" %}
select r.model, r.user_id, {{ sql.band_of(rank) }} as band
from {{ "unproven_recs" if rendering.listed else "given_recs" }} as r
inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
{{ by_rank.where }}
group by r.model, r.user_id, {{ sql.band_of(rank) }}
having {{ sql.bit_count("bit_or(" ~ sql.bit_of(rank) ~ ")") }} < count(*)
