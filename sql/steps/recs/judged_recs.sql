{#
row = "one row per row of recs whose item is judged, with its rank among these"
inline = true
also = "item"
when = "judged_alone and (ranked_read or lists_read)"

[options.judged_only]
about = "whether items without a row in the user's truth are removed from the list"
topic = "duplicates"
default = "false"

[options.judged_only.values]
false = "they stay, and count as not relevant"
true = "they are removed, and later items move up"
#}
{% set unjudged = "count(case when j.item_id is null then 1 end)" %}
select {{ model("o") }}o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{{ ", o.rank_by" if any_order }}
from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        r.item_id,
        r.rank,
        r.score,
{% if any_order %}
        r.rank_by,
{% endif %}
        j.item_id is not null as is_judged,
        -- rows with the same rank do not come before this one
        {{ unjudged }} over (partition by {{ model("r") }}r.user_id order by r.rank asc)
        - {{ unjudged }} over (partition by {{ model("r") }}r.user_id, r.rank) as dropped
    from given_recs as r
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
) as o
where o.is_judged
