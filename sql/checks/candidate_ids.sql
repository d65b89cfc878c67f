{#
message = "{candidates}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_candidates"]
#}
{{ null_ids("given_candidates", alias="c", sentence=sentence) }}
