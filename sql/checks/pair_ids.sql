{#
message = "{predictions}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_predictions"]
#}
{{ null_ids("given_predictions", alias="p", sentence=sentence) }}
