{#
row = "one row per row of truth, with its time"
inline = true
#}
{{ tables.truth_times.select }}
