{#
Statistics over the pairs p of ratings and predictions.
#}

-- name: absolute_error
{#
about = "sum of |rating - prediction|"
over = "pairs"
#}
{{ sql.any_sum("abs(p.rating - p.prediction)") }}

-- name: calibration_gap
{#
about = "sum over the bins of |sum of label - prediction|"
over = "pairs"
needs = ["labels", "probabilities", "bins"]
#}
{{ sql.any_sum("p.sign_of_bin * (" ~ label_of("p.rating") ~ " - p.prediction)") }}

-- name: error_variance
{#
about = "variance of rating - prediction"
over = "pairs"
needs = ["means"]
#}
{{ sql.any_sum("power(p.rating - p.prediction - c.error, 2)") }} / nullif(count(p.prediction), 0)

-- name: largest_gap
{#
about = "the largest |mean label - mean prediction| of a bin"
over = "pairs"
needs = ["labels", "probabilities", "bins"]
#}
max(p.gap_of_bin)

-- name: log_loss
{#
about = "sum of -ln of the probability that was given to the label"
over = "pairs"
needs = ["labels", "probabilities"]
#}
{# Of NULL and a number, least and greatest return the number. #}
{% set given = "case when " ~ label_of("p.rating") ~ " = 1 then p.prediction else 1 - p.prediction end" %}
{% set clipped = "least(greatest(" ~ given ~ ", " ~ double(logloss_clip) ~ "), 1 - " ~ double(logloss_clip) ~ ")" %}
{{ sql.any_sum("case when p.prediction is not null then -ln(" ~ clipped ~ ") end") }}

-- name: median_absolute_error
{#
about = "median of |rating - prediction|"
over = "pairs"
#}
percentile_cont(5e-1) within group (order by abs(p.rating - p.prediction) asc)

-- name: pairs
{#
about = "ratings with a prediction"
over = "pairs"
#}
count(p.prediction)

-- name: place_correlation
{#
about = "the correlation of the places of the pairs by rating and by prediction"
over = "pairs"
needs = ["places"]
#}
{{ sql.any_sum("p.rating_place * p.prediction_place") }} / nullif(sqrt(({{ sql.any_sum("p.rating_place * p.rating_place") }}) * ({{ sql.any_sum("p.prediction_place * p.prediction_place") }})), 0e0)

-- name: positives
{#
about = "pairs with label 1"
over = "pairs"
needs = ["labels"]
#}
count(case when {{ label_of("p.rating") }} = 1 then p.prediction end)

-- name: precision_total_of_labels
{#
about = "sum over the pairs with label 1 of the share of label 1 among the pairs whose prediction is at least as high"
over = "pairs"
needs = ["labels", "places"]
#}
{{ sql.any_sum("p.precision_there") }}

-- name: predicted
{#
about = "sum of the predicted probabilities"
over = "pairs"
needs = ["probabilities"]
#}
{{ sql.any_sum("p.prediction") }}

-- name: rating_range
{#
about = "the highest rating less the lowest, of all ratings, predicted or not"
over = "pairs"
#}
(select max(r.rating) - min(r.rating) from pairs as r)

-- name: rating_variance
{#
about = "variance of the ratings that have a prediction"
over = "pairs"
needs = ["means"]
#}
{{ sql.any_sum("power(p.rating - c.rating, 2)") }} / nullif(count(p.prediction), 0)

-- name: relative_error
{#
about = "sum of |rating - prediction| / |rating|"
over = "pairs"
#}
{% if mape_zero == "epsilon" %}
{{ sql.any_sum("abs(p.rating - p.prediction) / greatest(abs(p.rating), 2220446049250313e-31)") }}
{% else %}
{{ sql.any_sum("abs(p.rating - p.prediction) / nullif(abs(p.rating), 0e0)") }}
{% endif %}

-- name: scaled
{#
about = "pairs whose rating divides the error"
over = "pairs"
#}
{{ "count(p.prediction)" if mape_zero == "epsilon" else "count(case when p.rating <> 0 then p.prediction end)" }}

-- name: squared_error
{#
about = "sum of (rating - prediction)^2"
over = "pairs"
#}
{{ sql.any_sum("power(p.rating - p.prediction, 2)") }}

-- name: squared_label_error
{#
about = "sum of (label - prediction)^2"
over = "pairs"
needs = ["labels", "probabilities"]
#}
{{ sql.any_sum("power(" ~ label_of("p.rating") ~ " - p.prediction, 2)") }}

-- name: wins
{#
about = "pairs of a label 1 and a label 0 in which label 1 has the higher prediction, with half of the ties"
over = "pairs"
made_with = "label_of"
needs = ["labels", "places"]
#}
sum(p.wins) / 2e0
