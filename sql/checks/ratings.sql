{#
Ratings and predictions.
#}

-- name: pair_ids
{#
message = "{predictions}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_predictions"]
#}
{{ null_ids("given_predictions", alias="p", sentence=sentence) }}

-- name: rating_ids
{#
message = "{ratings}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_ratings"]
#}
{{ null_ids("given_ratings", alias="t", sentence=sentence) }}

-- name: pairs_twice
{#
message = "{table}: user {user} and item {item} appear together more than once{model}; keep one row per pair to join ratings and predictions"
place = 5
on = ["given_ratings"]
#}
select
    {{ sentence(table="t.name", user="t.user_id", item="t.item_id", model="coalesce(' for model ' || t.model, '')") | indent }} as message
from (
    select {{ tables.predictions.name }} as name, {{ model("p") }}p.user_id, p.item_id
    from given_predictions as p
    group by {{ model("p") }}p.user_id, p.item_id
    having count(*) > 1
    union all
    select {{ tables.ratings.name }} as name, {{ "null as model, " if modelled }}t.user_id, t.item_id
    from given_ratings as t
    group by t.user_id, t.item_id
    having count(*) > 1
) as t
order by t.name asc, t.user_id asc, t.item_id asc
limit 1

-- name: predictions
{#
message = "{predictions}: `prediction` is {found} for user {user}, item {item}; give a number below 1e150, or NULL for no prediction"
place = 4
on = ["given_predictions"]
#}
select
    {{ sentence(found="p.prediction", user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where {{ sql.is_nan("p.prediction") }} or abs(p.prediction) >= 1e150
order by p.user_id asc, p.item_id asc, message asc
limit 1

-- name: missing
{#
message = "{predictions}: `prediction` is NULL for user {user}, item {item}; missing='error' does not allow that"
place = 5
grain = "rating"
on = ["given_predictions"]
when = "missing == 'error'"

[options.missing]
about = "a NULL prediction"
topic = "ratings"
default = "skip"

[options.missing.values]
skip = "left out and counted"
error = "an error"
#}
select
    {{ sentence(user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where p.prediction is null
order by p.user_id asc, p.item_id asc
limit 1

-- name: ratings
{#
message = "{ratings}: `rating` is {found} for user {user}, item {item}; every rating must be a number below 1e150"
place = 4
on = ["given_ratings"]
#}
select
    {{ sentence(found="t.rating", user="t.user_id", item="t.item_id") | indent }} as message
from given_ratings as t
where t.rating is null or {{ sql.is_nan("t.rating") }} or abs(t.rating) >= 1e150
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: ratings_beside
{#
message = "{predictions}: `rating` is {found} for user {user}, item {item}; every rating must be a number below 1e150, here or in the table passed as ratings="
in_macro = "{predictions}: `rating` is {found} for user {user}, item {item}; every rating must be a number below 1e150, here or in the table ratings of recsql.rating_metrics_joined"
place = 4
on = ["given_predictions"]
when = "not ratings_apart"
#}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where p.rating is null or {{ sql.is_nan("p.rating") }} or abs(p.rating) >= 1e150
order by p.user_id asc, p.item_id asc, message asc
limit 1

-- name: no_pairs
{#
message = "{predictions}: no rating has a prediction; check the ids, and that not every prediction is NULL"
place = 6
on = ["rating_counts"]
#}
select
    {{ sentence() | indent }} as message
from (select sum(n.pairs) as pairs, count(*) as models from rating_counts as n) as n
where coalesce(n.pairs, 0) = 0{{ " or n.models < " ~ tables.predictions.models | length if tables.predictions.models }}

-- name: labels
{#
message = "{predictions}: {column} is {found} for user {user}, item {item}; the label must be 0 or 1, so give threshold=, the lowest rating that counts as 1"
place = 5
on = ["pairs"]
when = "needs.labels and threshold is none"
#}
{# The column is in either table. #}
{% set at = {"predictions": tables.ratings.name, "column": literal(tables.ratings.columns.get("rating", "rating"))} if ratings_apart else {"column": "'rating'"} %}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id", **at) | indent }} as message
from pairs as p
where p.rating not in (0, 1)
order by p.user_id asc, p.item_id asc, message asc
limit 1

-- name: probabilities
{#
message = "{predictions}: `prediction` is {found} for user {user}, item {item}; a probability is from 0 to 1, so scale the predictions, or leave out the metrics of probabilities"
place = 5
on = ["pairs"]
when = "needs.probabilities"
#}
select
    {{ sentence(found="p.prediction", user="p.user_id", item="p.item_id") | indent }} as message
from pairs as p
where p.prediction < 0 or p.prediction > 1
order by p.user_id asc, p.item_id asc, message asc
limit 1

-- name: zero_ratings
{#
message = "{predictions}: {column} is 0 for user {user}, item {item}; mape_zero='error' does not allow that"
place = 5
on = ["pairs"]
when = "needs.relative_error and mape_zero == 'error'"
#}
{# The column is in either table. #}
{% set at = {"predictions": tables.ratings.name, "column": literal(tables.ratings.columns.get("rating", "rating"))} if ratings_apart else {"column": "'rating'"} %}
select
    {{ sentence(user="p.user_id", item="p.item_id", **at) | indent }} as message
from pairs as p
where p.rating = 0
order by p.user_id asc, p.item_id asc
limit 1

-- name: tiny_ratings
{#
message = "{predictions}: {column} is {found} for user {user}, item {item}, and the error is more than 1e150 times that; mend it, or use mape_zero='epsilon'"
place = 5
on = ["pairs"]
when = "needs.relative_error and mape_zero != 'epsilon'"
#}
{% set at = {"predictions": tables.ratings.name, "column": literal(tables.ratings.columns.get("rating", "rating"))} if ratings_apart else {"column": "'rating'"} %}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id", **at) | indent }} as message
from pairs as p
where p.rating <> 0 and abs(p.rating - p.prediction) / nullif(abs(p.rating), 0e0) > 1e150
order by p.user_id asc, p.item_id asc
limit 1
