{#
row = "one row per item id: whether it is in a list, relevant, in train, and in items"
when = "finding"
#}
{{ ids_in_tables(id="item_id") }}
