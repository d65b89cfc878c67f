{#
row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists, in units of 1e-18"
plain_row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists"
grain = "item"
#}
{{ shares_added("u") }}
