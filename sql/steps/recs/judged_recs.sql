{#
row = "one row per row of recs whose item is judged, with its rank among these"
inline = true
also = "item"

[options.judged_only]
about = "whether items without a row in the user's truth are removed from the list"
topic = "duplicates"
default = "false"

[options.judged_only.values]
false = "they stay, and count as not relevant"
true = "they are removed, and later items move up"
#}
{{ closed_recs(rows=narrowed_recs, others="judged as j on j.user_id = r.user_id and j.item_id = r.item_id", kept="j.item_id is not null", gone="j.item_id is null", named_as="is_judged") }}
