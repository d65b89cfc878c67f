{#
row = "one row per row of recs whose item is a candidate of the user, with its rank among these"
inline = true
also = "item"

[options.candidates]
about = "a table of user_id and item_id: users' lists are ranked anew with only these items; by default, every item counts"
topic = "duplicates"
type = "table"
word = "given"
#}
{# The given ranks may be from the full catalogue, with gaps between candidates. #}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    rank() over (partition by {{ model("r") }}r.user_id order by r.rank asc) as rank,
    r.score{% if any_order %},
    r.rank_by{% endif %}

from {{ "unseen_recs" if unseen_alone else "given_recs" }} as r
inner join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id
