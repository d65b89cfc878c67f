{#
row = "one row per repeater and relevant item, with its highest relevance"
before = "relevant"
#}
select
    t.user_id,
    t.item_id,
{% if needs.truth_rank %}
    min(t.rank) as rank,
{% endif %}
    max(t.relevance) as relevance
from given_truth as t
inner join repeaters as p on p.user_id = t.user_id
where {{ is_relevant() }}
group by t.user_id, t.item_id
