{#
row = "one row per event"
grain = "event"
inline = true
#}
{{ tables.events.select }}
