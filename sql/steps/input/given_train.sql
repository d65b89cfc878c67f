{#
row = "one row per row of train"
grain = "item"
inline = true
when = "train is not none and (finding or train_read or train_counted or by_activity or seen_read or (of_users and (needs.list_tastes_at_k or needs.histories)))"
#}
{{ tables.train.select }}
