{#
row = "one row per row of truth, with its time"
inline = true
when = "finding and 'truth_times' in tables"
#}
{{ tables.truth_times.select }}
