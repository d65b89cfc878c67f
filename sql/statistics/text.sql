{#
Statistics over the rows e in force: rows of lists, rows that find a span, and pieces of relevant text, each from the first
row that has it; and the relevant text of a user.
#}

-- name: rows_in_force
{#
about = "rows in the top k"
over = "rows"
empty = "0"
spans = true
budget = true
#}
cast(sum(e.rows_in_force) as bigint)

-- name: text_found
{#
about = "positions of relevant text in the rows of the top k, each counted once"
over = "rows"
empty = "0"
spans = true
budget = true
#}
cast(sum(e.text_found) as bigint)

-- name: text_read
{#
about = "positions in the rows of the top k, counted as often as rows have them"
over = "rows"
empty = "0"
spans = true
budget = true
#}
cast(sum(e.text_read) as bigint)

-- name: text_relevant
{#
about = "positions in the relevant spans of the user, each counted once"
over = "user"
spans = true
budget = true
needs = ["relevant_positions"]

[joins]
relevant_positions = "left join relevant_text as n on n.user_id = u.user_id"
#}
coalesce(n.length, 0)

-- name: useful
{#
about = "rows in the top k that find a span, also one that an earlier row has found"
over = "rows"
empty = "0"
spans = true
budget = true
#}
cast(sum(e.useful) as bigint)
