{#
row = "one row per item id, NULL among them: the number of its rows in each table, and of those that are relevant"
kept = true
#}
{{ rows_of_ids(id="item_id") }}
