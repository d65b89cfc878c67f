{#
row = "one row per shown item"
grain = "event"
inline = true

[options.impressions]
about = "the table of shown items: user_id, item_id, ts, rank, perhaps model, request_id and surface; without one, labels come from events alone"
topic = "impressions"
type = "table"
input = true
#}
{{ tables.impressions.select }}
