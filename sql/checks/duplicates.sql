{#
message = "{recs}: item {item} stands more than once in the list of user {user}{model}; list it once, or say how it counts with the option duplicates"
place = 5
#}
{% set refused = condition(duplicates="error") %}
{% if refused.possible %}
select
    {{ sentence(item="f.item_id", user="f.user_id", model="coalesce(' and model ' || f.model, '')") }} as message
from found as f
where
    f.copies > 1
    {{ refused.also }}
order by f.user_id, f.item_id
limit 1
{% endif %}
