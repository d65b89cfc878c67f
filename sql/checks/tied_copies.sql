{#
message = "{recs}: item {item} appears more than once in the list of user {user}, which ties = '{ties}' with duplicates = '{duplicates}' does not support; list it once, or use duplicates = 'first'"
place = 5
#}
{% set alike = unordered() | both(condition(duplicates="hole count set")) %}
{% if alike.possible %}
{% set distinct = rendering.asks("distinct") | both(condition(ties="expected", duplicates="count")) %}
select
    {{ sentence(item="r.item_id", user="r.user_id", ties=option("ties"), duplicates=option("duplicates")) }} as message
from scored as r
{{ alike.where }}
group by r.model, r.user_id, r.item_id
having count(*) > {{ distinct.then("1", choose("duplicates", set="1", otherwise="count(distinct r.score)")) }}
order by r.user_id asc, r.item_id asc
limit 1
{% endif %}
