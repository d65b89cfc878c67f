{#
row = "one row per user and item that are in the truth several times: the number of rows, the least and the highest relevance"
#}
{# Users with as many bits as rows have no item twice. The others are few, so few rows are grouped by item. #}
select t.user_id, t.item_id, count(*) as stated, min(t.relevance) as least, max(t.relevance) as most
from given_truth as t
inner join (
    select t.user_id
    from given_truth as t
    group by t.user_id
    having greatest({{ sql.bit_count("bit_or(" ~ sql.bit("t.item_id", 1) ~ ")") }}, {{ sql.bit_count("bit_or(" ~ sql.bit("t.item_id", 2) ~ ")") }}) < count(*)
) as s on s.user_id = t.user_id
group by t.user_id, t.item_id
having count(*) > 1
