{#
row = "one row per row of recs whose item is judged, with its rank among these"
inline = true
also = "item"

[options.judged_only]
about = "whether items without a row in the user's truth are removed from the list"
topic = "duplicates"
default = "false"

[options.judged_only.values]
false = "they stay, and count as not relevant"
true = "they are removed, and later items move up"
#}
{% set judged_only = condition(judged_only="true") %}
{% set unjudged = "count(case when j.item_id is null then 1 end)" %}
{% set rank_by = "rank_by" not in options.known %}
{% if not judged_only.certain %}
select r.model, r.user_id, r.item_id, r.rank, r.score{{ ", r.rank_by" if rank_by }}
from given_recs as r
{{ judged_only.negated.where }}
{% endif %}
{{ judged_only.union_all }}
{% if judged_only.possible %}
select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{{ ", o.rank_by" if rank_by }}
from (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score,
{% if rank_by %}
        r.rank_by,
{% endif %}
        j.item_id is not null as is_judged,
        -- rows with the same rank do not come before this one
        {{ unjudged }} over (partition by r.model, r.user_id order by r.rank asc)
        - {{ unjudged }} over (partition by r.model, r.user_id, r.rank) as dropped
    from given_recs as r
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    {{ judged_only.where }}
) as o
where o.is_judged
{% endif %}
