{#
row = "one row per user and relevant item that the truth states more than once, with its highest relevance"
#}
{# As many bits as rows: no item twice. Only the others are looked at one by one. #}
select
    t.user_id,
    t.item_id,
{% if rendering.reads("t.truth_rank") %}
    min(t.rank) as rank,
{% endif %}
    max(t.relevance) as relevance
from given_truth as t
inner join fingerprints as f on f.user_id = t.user_id
where
    {{ rendering.expression("expressions/is_relevant.sql") }}
    and greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
group by t.user_id, t.item_id
having count(*) > 1
