{#
Ranges of documents, what rows cost, and metrics that spans or budgets leave without a meaning.
#}

-- name: spans_only
{#
message = "a row can find several spans, so there is no ideal list; for spans take recall, hit, rr, first_rank, hits, miss_rate, cg, precision, text_recall, text_precision or text_iou"
#}

-- name: spans_unbounded
{#
message = "a row can find several spans, so that min(k, R) is no bound; take the default, R"
#}

-- name: budget_divides
{#
message = "it divides by k, which is a number of {budget} here; take {other}"
#}

-- name: budget_ideal
{#
message = "its ideal list is cut at k, which is a number of {budget} here; take recall, hit, rr or dcg"
#}

-- name: budget_items
{#
message = "it has no definition within a budget of {budget}; take recall, hit, rr or dcg"
#}

-- name: recs_documents
{#
message = "{recs}: `document` is NULL for user {user}; fill it in or remove the row"
place = 3
on = ["given_recs"]
when = "of_spans"
#}
{{ without_document("given_recs", alias="r", sentence=sentence) }}

-- name: truth_documents
{#
message = "{truth}: `document` is NULL for user {user}; fill it in or remove the row"
place = 3
on = ["given_truth"]
when = "of_spans"
#}
{{ without_document("given_truth", alias="t", sentence=sentence) }}

-- name: recs_positions
{#
message = "{recs}: {column} is {position} in document {document} of user {user}; {way}"
place = 4
on = ["given_recs"]
when = "of_spans"
#}
{{ odd_positions("given_recs", alias="r", sentence=sentence, missing="fill it in or remove the row") }}

-- name: truth_positions
{#
message = "{truth}: {column} is {position} in document {document} of user {user}; {way}"
place = 4
on = ["given_truth"]
when = "of_spans"
#}
{{ odd_positions("given_truth", alias="t", sentence=sentence, missing="a whole document is 0 and its length, or judge by documents with --item document --duplicates hole") }}

-- name: recs_ranges
{#
message = "{recs}: `start` {start} is above `end` {end} in document {document} of user {user}; `end` is the position after the last one"
place = 5
on = ["given_recs"]
when = "of_spans"
#}
{{ odd_ranges("given_recs", alias="r", sentence=sentence, than=">") }}

-- name: truth_ranges
{#
message = "{truth}: `start` {start} is not below `end` {end} in document {document} of user {user}; `end` is the position after the last one"
place = 5
on = ["given_truth"]
when = "of_spans"
#}
{{ odd_ranges("given_truth", alias="t", sentence=sentence, than=">=") }}

-- name: costs
{#
message = "{recs}: `cost` is {cost} for the row of rank {rank} of user {user}; give each row a whole number, 0 or more"
place = 4
on = ["given_recs"]
when = "budgeted"
#}
select
    {{ sentence(cost="r.cost", rank="r.rank", user="r.user_id") | indent }} as message
from given_recs as r
where r.cost is null or r.cost < 0 or r.cost % 1 <> 0
order by r.user_id asc, r.rank asc, message asc
limit 1
