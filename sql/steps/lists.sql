{#
row = "one row per model and user with a list"
#}
{% set open = condition(duplicates="error hole count set") %}
select
    r.model,
    r.user_id,
{% if rendering.reads("l.last_rank") %}
    {{ open.then("max(" ~ choose("rank_by", score="null", otherwise="r.rank") ~ ")") }} as last_rank,
{% endif %}
    {{ choose("duplicates", first="count(distinct r.item_id)", last="count(distinct r.item_id)", set="count(distinct r.item_id)", otherwise="count(*)") }} as returned
from given_recs as r
group by r.model, r.user_id
