{#
row = "one row per user and item of the truth, with its highest relevance"
#}
select t.user_id, t.item_id{{ ", max(t.relevance) as relevance" if is_read("judged", "relevance") }}
from given_truth as t
where t.item_id is not null{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent }}
group by t.user_id, t.item_id
