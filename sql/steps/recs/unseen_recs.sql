{#
row = "one row per row of recs whose item the user does not have in train, with its rank among these"
inline = true
also = "item"

[options.seen]
about = "what happens to a recommended item that the user already has in train, which needs a column user_id"
topic = "duplicates"
default = "keep"

[options.seen.values]
keep = "it counts as any other item"
drop = "it is removed from the list, and later items move up"
error = "an error"
#}
{{ closed_recs(rows="given_recs", others="seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id", kept="s.item_id is null", gone="s.item_id is not null", named_as="is_unseen") }}
