{#
row = "one row per row of recs, with its place in the list"
inline = true
#}
{% if by_rank %}
select {{ model("r") }}r.user_id, r.item_id, r.score, r.rank as place
from given_recs as r{% if any_order %}

where r.rank_by = 'rank'
union all
{% endif %}
{% endif %}
{% if by_score %}
select
    {{ model("r") }}r.user_id,
    r.item_id,
    r.score,
    row_number() over (partition by {{ model("r") }}r.user_id order by r.score {{ order }}, r.item_id asc) as place
from given_recs as r{% if any_order %}

where r.rank_by = 'score'{% endif %}

{% endif %}
