{#
row = "one row per row of train, with its time"
inline = true
when = "finding and 'train_times' in tables"
#}
{{ tables.train_times.select }}
