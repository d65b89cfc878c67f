{#
row = "one row per model and metric: its mean, and the number of users in it"
inline = true
when = "finding and 'means' in tables"
#}
{{ tables.means.select }}
