{#
row = "one row per item id: whether it is in a list, relevant, in train, and in items"
#}
{{ ids_of_rows(id="item_id", rows="item_rows") }}
