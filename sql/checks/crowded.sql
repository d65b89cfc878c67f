{#
message = "{recs}: the list of user {user}{model} has {items} items, but its last rank is {rank}; give each item of a list its own rank"
place = 7
#}
{% set counted = rendering.list_length %}
{% if counted.possible %}
select
    {{ sentence(user="l.user_id", model="coalesce(' and model ' || l.model, '')", items="l.returned", rank="l.last_rank") }} as message
from lists as l
where
    l.last_rank < l.returned
    {{ counted.also }}
order by l.user_id asc
limit 1
{% endif %}
