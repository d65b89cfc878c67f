{#
message = "{recs}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}, `rank` {rank}); leave such rows out or give them an id"
place = 3
on = ["given_recs"]
#}
select
    {{ sentence(column="case when r.user_id is null then 'user_id' else 'item_id' end", user="r.user_id", item="r.item_id", rank="r.rank") | indent }} as message
{% if listed %}
from (
    select r.user_id, {{ sql.items_of("r.items") }}
    from given_lists as r
    where r.user_id is null or {{ sql.place_in("r.items", "null") }} > 0
) as r
{% else %}
from given_recs as r
{% endif %}
where r.user_id is null or r.item_id is null
order by r.user_id asc, r.item_id asc
limit 1
