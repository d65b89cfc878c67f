{#
row = "one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank"
before = "doubtful_recs"
#}
{% set rank = "try_cast(r.rank as bigint)" %}
select {{ model("r") }}r.user_id, {{ sql.band_of(rank) }} as band
from {{ "unproven_recs" if listed else "given_recs" }} as r
inner join unproven as o on {{ same_model("o", "r") }}o.user_id = r.user_id
{% if any_order %}
where r.rank_by = 'rank'
{% endif %}
group by {{ model("r") }}r.user_id, {{ sql.band_of(rank) }}
having {{ sql.bit_count("bit_or(" ~ sql.bit_of(rank) ~ ")") }} < count(*)
