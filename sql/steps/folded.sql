{#
row = "one row per repeater and relevant item, with its highest relevance"
#}
select
    t.user_id,
    t.item_id,
{% if rendering.reads("t.truth_rank") %}
    min(t.rank) as rank,
{% endif %}
    max(t.relevance) as relevance
from given_truth as t
inner join repeaters as p on p.user_id = t.user_id
where {{ rendering.expression("expressions/is_relevant.sql") }}
group by t.user_id, t.item_id
