{#
row = "one row per row of train, with its time"
inline = true
#}
{{ tables.train_times.select }}
