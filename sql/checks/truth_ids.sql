{#
message = "{truth}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_truth"]
#}
{{ null_ids("given_truth", alias="t", sentence=sentence) }}
