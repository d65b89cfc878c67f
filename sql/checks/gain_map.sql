{#
message = "gain_map: no gain for the relevance {relevance} of user {user}, item {item}"
#}
{% set mapped = condition(gain="map") %}
{% if mapped.possible %}
select {{ sentence(relevance="r.relevance", user="t.user_id", item="t.item_id") }} as message
from relevant as t
inner join given_truth as r on r.user_id = t.user_id and r.item_id = t.item_id
where
    t.gain is null
    {{ mapped.also }}
order by t.user_id, t.item_id
limit 1
{% endif %}
