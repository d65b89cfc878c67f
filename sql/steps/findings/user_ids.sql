{#
row = "one row per user id: whether it has a list, relevant items, and a row in train"
#}
{{ ids_of_rows(id="user_id", rows="user_rows") }}
