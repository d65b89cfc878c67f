{#
message = "{truth}: item {item} has gain {gain} for user {user}; scale the relevance so that gains lie between 1e-6 and 1e9"
place = 6
#}
{% set sums = rendering.sums("hits") %}
{% if "cg" in sums or "dcg" in sums or "idcg" in rendering.statistics("per_user") %}
select
    {{ sentence(item="t.item_id", gain="t.gain", user="t.user_id") }} as message
from (
    select t.user_id, t.item_id, {{ gain("t.relevance") }} as gain
    from given_truth as t
    where {{ rendering.expression("expressions/is_relevant.sql") | indent }}
) as t
where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
order by t.user_id asc, t.item_id asc
limit 1
{% endif %}
