{#
row = "one row per event"
grain = "event"
inline = true
when = "labelling"
#}
{{ tables.events.select }}
