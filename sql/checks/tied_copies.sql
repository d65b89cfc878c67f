{#
message = "{recs}: item {item} stands more than once with the same score {score} in the list of user {user}; ties = '{ties}' can't tell the copies apart; list it once, or say duplicates = 'first'"
place = 5
#}
{% set alike = condition(ties="expected best worst", duplicates="hole count set") %}
{% if alike.possible %}
select
    {{ sentence(item="r.item_id", score="r.score", user="r.user_id", ties=option("ties")) }} as message
from scored as r
{{ alike.where }}
group by r.model, r.user_id, r.item_id, r.score
having count(*) > 1
order by r.user_id, r.item_id
limit 1
{% endif %}
