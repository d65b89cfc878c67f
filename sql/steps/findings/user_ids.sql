{#
row = "one row per user id: whether it has a list, relevant items, and a row in train"
when = "finding"
#}
{{ ids_in_tables(id="user_id") }}
