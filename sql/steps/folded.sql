{#
row = "one row per suspect and relevant item, with its highest relevance"
#}
select
    t.user_id,
    t.item_id,
{% if rendering.reads("t.truth_rank") %}
    min(t.rank) as rank,
{% endif %}
    max(t.relevance) as relevance
from given_truth as t
inner join suspects as s on s.user_id = t.user_id
where {{ rendering.expression("expressions/is_relevant.sql") }}
group by t.user_id, t.item_id
