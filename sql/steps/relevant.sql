{#
row = "one row per user and relevant item; twice in the truth, it counts once with its highest relevance"
#}
select
    t.user_id,
    t.item_id,
{% if rendering.reads("t.truth_rank") %}
    min(t.rank) as truth_rank,
{% endif %}
    {{ gain("max(t.relevance)") }} as gain
from given_truth as t
where {{ rendering.expression("expressions/is_relevant.sql") }}
    {{ rendering.guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) }}
group by t.user_id, t.item_id
