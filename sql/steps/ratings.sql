{#
Ratings and their predictions.

Goes in: given_predictions and given_ratings. Comes out: pairs, one row per rating with its prediction; rating_errors,
one row per model or user with the statistics over pairs; rating_metrics, the metrics.
#}
{% set by_user = mean == "users" %}
{% set ratings_apart = ratings is not none %}
{% set measured_pairs = "binned_pairs" if needs.bins else "placed_pairs" if needs.places else "pairs" %}

-- name: pairs
{#
row = "one row per rating with its prediction, which is NULL if it is missing"
grain = "rating"

[options.ratings]
input = true
about = "a table of the ratings, if predictions has no column rating; joined on user and item"
topic = "ratings"
type = "table"
#}
{% if ratings_apart %}
select {{ model("p") }}p.user_id, p.item_id, t.rating, p.prediction
from given_predictions as p
inner join given_ratings as t
    on t.user_id = p.user_id
    and t.item_id = p.item_id{{ guard("id_types", left="predictions", right="ratings", columns=["user_id", "item_id"]) | indent }}
{% else %}
select {{ model("p") }}p.user_id, p.item_id, p.rating, p.prediction
from given_predictions as p
{% endif %}

-- name: placed_pairs
{#
row = "one row per pair: how it stands among the others by its prediction; wins are twice the pairs of the other label ordered rightly with it, half of equal ones"
grain = "rating"
#}
{% set all = model("p") ~ ("p.user_id, " if by_user) ~ "p.prediction is null" %}
{# The mean place of equal pairs, less the mean of all places, as a part of their number. #}
{% macro place(x) %}
(
            rank() over (partition by {{ all }} order by {{ x }} asc) - 1
            + (count(*) over (partition by {{ all }}, {{ x }}) - count(*) over (partition by {{ all }})) / 2e0
        ) / count(*) over (partition by {{ all }})
{%- endmacro %}
{% macro down(x) %}count({{ x }}) over (partition by {{ all }} order by p.prediction desc){% endmacro %}
{# The pairs with a label whose prediction is below that of p, and half of those with the same one, times 2. #}
{% macro below(label, part="") %}
{% set window = "(partition by " ~ model("p") ~ ("p.user_id, " if by_user) ~ part ~ "p.prediction is null order by p.prediction asc" %}
{% set counted = "count(case when " ~ label_of("p.rating") ~ " = " ~ label ~ " then 1 end) over " ~ window %}
2 * {{ counted }}) - {{ counted }} range between current row and current row)
{%- endmacro %}
select
    p.*{% if needs.place_correlation %},
    case
        when p.prediction is not null then {{ place("p.rating") }}
    end as rating_place,
    case
        when p.prediction is not null then {{ place("p.prediction") }}
    end as prediction_place{% endif %}{% if needs.precision_total_of_labels %},
    case
        when {{ label_of("p.rating") }} = 1 and p.prediction is not null
            then {{ down("case when " ~ label_of("p.rating") ~ " = 1 then 1 end") }} / {{ double(down("*")) }}
    end as precision_there{% endif %}{% if needs.wins %},
    case when {{ label_of("p.rating") }} = 1 and p.prediction is not null then {{ below(0) }} end as wins{% endif %}{% if needs.wins and rating_groups %},
    {# What the others lose without the group: wins of its labels 1 over them, and of their labels 1 over its labels 0. #}
    case
        when {{ label_of("p.rating") }} = 1
            then {{ below(0) }} - ({{ below(0, "g.part, ") }})
        else 2 * count(case when {{ label_of("p.rating") }} = 1 then 1 end) over (partition by {{ model("p") }}p.prediction is null) - ({{ below(1) }})
    end as lost{% endif %}

from pairs as p{% if needs.wins and rating_groups %}

inner join user_groups as g on g.user_id = p.user_id{% endif %}

-- name: binned_pairs
{#
row = "one row per pair: the sign of the sum of label - prediction in its bin, and how far their means are apart there"
grain = "rating"
#}
{% set all = model("p") ~ ("p.user_id, " if by_user) ~ "p.prediction is null" %}
{% set bin = "floor(p.prediction * " ~ ece_bins ~ ")" %}
{% set of_bin = "over (partition by " ~ model("b") ~ ("b.user_id, " if by_user) ~ "b.bin)" %}
{% set total = "sum(" ~ sql.in_units(label_of("b.rating") ~ " - b.prediction") ~ ") " ~ of_bin %}
select
    b.*,
{% if needs.largest_gap %}
    abs({{ total }}) / 1e18 / nullif(count(b.prediction) {{ of_bin }}, 0) as gap_of_bin,
{% endif %}
    case when {{ total }} < 0 then -1 else 1 end as sign_of_bin
from (
    select
        p.*,
{% if ece_binning == "quantile" %}
        floor((rank() over (partition by {{ all }} order by p.prediction asc) - 1) * {{ ece_bins }} / (count(*) over (partition by {{ all }}))) as bin
{% else %}
        {# A product is rounded, so that 0.29 * 100 is below 29; the quotient of two whole numbers is the closest number to the edge. #}
        least({{ bin }} + case when p.prediction >= ({{ bin }} + 1) / {{ ece_bins }} then 1 when p.prediction < {{ bin }} / {{ ece_bins }} then -1 else 0 end, {{ ece_bins }} - 1) as bin
{% endif %}
    from {{ "placed_pairs" if needs.places else "pairs" }} as p
) as b

-- name: centres
{#
row = "one row per model, and per user if mean = users: the means that the variances need"
grain = "rating"
#}
{# If all values are equal, the mean is that value, so the variance is exactly 0. #}
{% macro centre(x) %}case when min({{ x }}) < max({{ x }}) then {{ sql.any_sum(x) }} / count(*) else min({{ x }}) end{% endmacro %}
select
{% if modelled %}
    p.model,
{% endif %}
    {{ "p.user_id" if by_user else "null" }} as rater,
    true as predicted,
    {{ centre("p.rating") }} as rating,
    {{ centre("p.rating - p.prediction") }} as error
from pairs as p
where p.prediction is not null{% if modelled or by_user %}

group by {{ ("p.model" ~ (", p.user_id" if by_user else "")) if modelled else "p.user_id" }}{% endif %}

-- name: rating_errors
{#
row = "one row per model, and per user if mean = users: the statistics of the pairs"
grain = "rating"
sums = { over = "pairs", alias = "s", reader = "rating_metrics" }

[options.mean]
about = "what is averaged"
topic = "ratings"
default = "micro"

[options.mean.values]
micro = "all pairs, each with the same weight"
users = "the values of the users, each with the same weight"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    {{ "p.user_id" if by_user else "null" }} as rater,
{% for one in statistics("pairs") %}
    {{ text_of(one) }} as {{ one }},
{% endfor %}
    count(distinct case when p.prediction is not null then p.user_id end) as users,
    count(p.prediction) as used,
    count(*) - count(p.prediction) as missing
from {{ measured_pairs }} as p{% if needs.means %}

left join centres as c
    on
        {{ on_model("c", "p") }}
{% if by_user %}
        and c.rater is not distinct from p.user_id
{% endif %}
        and c.predicted = (p.prediction is not null){% endif %}{% if modelled or by_user %}

group by {{ ("p.model" ~ (", p.user_id" if by_user else "")) if modelled else "p.user_id" }}{% endif %}

-- name: rating_metrics
{#
row = "one row per model, and per user if mean = users: the metrics"
grain = "rating"
#}
select
{% if modelled %}
    s.model,
{% endif %}
    s.users{% for column in rating_columns %},
    {{ aliased(column.natural, column.name) }}{% endfor %}

from rating_errors as s

-- name: rating_counts
{#
row = "one row per model with predictions: how many pairs were compared, and how many rows had no match"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    coalesce(s.used, 0) as pairs,
    coalesce(s.missing, 0) as missing,
    {{ "p.predictions - coalesce(s.used + s.missing, 0)" if ratings_apart else "0" }} as unmatched_predictions,
    {{ "(select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0)" if ratings_apart else "0" }} as unmatched_ratings
from (
    select {{ model("g") }}count(*) as predictions
    from given_predictions as g
{% if modelled %}
    group by g.model
{% endif %}
) as p
left join (
    select {{ model("e") }}cast(sum(e.used) as bigint) as used, cast(sum(e.missing) as bigint) as missing
    from rating_errors as e
{% if modelled %}
    group by e.model
{% endif %}
) as s on {{ on_model("s", "p") }}

-- name: rating_means
{#
row = "one row per model with predictions: the metrics, and the number of users"
grain = "rating"
#}
select
{% if modelled %}
    n.model{% for column in rating_columns %},
    {{ sql.any_sum("s." ~ column.name) }} / count(s.{{ column.name }}) as {{ column.name }},
    cast(coalesce(sum(case when s.{{ column.name }} is not null then s.users end), 0) as bigint) as {{ column.name }}_users{% endfor %}

{% else %}
    count(*) as models{% for column in rating_columns %},
    {{ sql.any_sum("s." ~ column.name) }} / count(s.{{ column.name }}) as {{ column.name }},
    cast(coalesce(sum(case when s.{{ column.name }} is not null then s.users end), 0) as bigint) as {{ column.name }}_users{% endfor %}

{% endif %}
from rating_counts as n
left join rating_metrics as s on {{ on_model("s", "n") }}{% if modelled %}

group by n.model{% endif %}

-- name: rater_errors
{#
row = "one row per model and user: the sums of the errors, and the number of pairs"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
{% for one in statistics("pairs") %}
{% if rating_columns | selectattr("sum_of", "eq", one) | list %}
    {{ text_of(one) }} as {{ one }},
{% endif %}
{% endfor %}
    count(*) as used
from {{ measured_pairs }} as p
where p.prediction is not null
group by {{ model("p") }}p.user_id

-- name: group_errors
{#
row = "one row per model and group of users: the sums of the errors, and of the deviations from the means of all"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    g.part,
{% for one in statistics("pairs") %}
{% if one not in ["pairs", "rating_variance", "error_variance", "median_absolute_error", "rating_range"] %}
    {{ "sum(p.lost) / 2e0" if one == "wins" else text_of(one) }} as {{ one }},
{% endif %}
{% endfor %}
{% if needs.means %}
    {{ sql.any_sum("p.rating - c.rating") }} as rating_deviation,
    {{ sql.any_sum("power(p.rating - c.rating, 2)") }} as rating_squares,
    {{ sql.any_sum("p.rating - p.prediction - c.error") }} as error_deviation,
    {{ sql.any_sum("power(p.rating - p.prediction - c.error, 2)") }} as error_squares,
{% endif %}
    count(*) as used
from {{ measured_pairs }} as p
inner join user_groups as g on g.user_id = p.user_id{% if needs.means %}

inner join centres as c on {{ on_model("c", "p") }}{% endif %}

where p.prediction is not null
group by {{ model("p") }}g.part

-- name: ordered_errors
{#
row = "one row per pair: its place by the size of the error among all, and among those of the group; the number of pairs in other groups"
grain = "rating"
#}
select
    e.*,
    row_number() over (partition by {{ model("e") }}e.part order by e.place asc) as own_place,
    count(*) over ({{ "partition by e.model" if modelled }}) - count(*) over (partition by {{ model("e") }}e.part) as others
from (
    select
        {{ model("p") }}g.part,
        abs(p.rating - p.prediction) as error,
        row_number() over ({{ "partition by p.model " if modelled }}order by abs(p.rating - p.prediction) asc) as place
    from pairs as p
    inner join user_groups as g on g.user_id = p.user_id
    where p.prediction is not null
) as e

-- name: left_out_medians
{#
row = "one row per model and group of users: the median error of all other users"
grain = "rating"
#}
{# The n-th pair of the others has the place n, plus one for each pair of the group before it: that is, with fewer than n others before it. #}
{% macro place_of(n) %}cast(floor({{ n }}) as bigint) + count(case when e.place - e.own_place < cast(floor({{ n }}) as bigint) then 1 end){% endmacro %}
select
    {{ model("m") }}m.part,
    (l.error + u.error) / 2e0 as median_absolute_error
from (
    select
        {{ model("e") }}e.part,
        {{ place_of("(e.others + 1) / 2e0") }} as lower_place,
        {{ place_of("(e.others + 2) / 2e0") }} as upper_place
    from ordered_errors as e
    group by {{ model("e") }}e.part, e.others
) as m
inner join ordered_errors as l on {{ same_model("l", "m") }}l.place = m.lower_place
inner join ordered_errors as u on {{ same_model("u", "m") }}u.place = m.upper_place

-- name: left_out_metrics
{#
row = "one row per model and group of users: the metrics of all other users"
grain = "rating"
#}
{% macro variance(name) %}
(e.{{ name }}_variance * e.used - g.{{ name }}_squares) / nullif(e.used - g.used, 0) - power(g.{{ name }}_deviation / nullif(e.used - g.used, 0), 2)
{%- endmacro %}
select
{% if modelled %}
    s.model,
{% endif %}
    s.part{% for column in rating_columns %}{% if column.method == "groups" %},
    {{ aliased(column.natural, column.name) }}{% endif %}{% endfor %}

from (
    select
{% if modelled %}
        g.model,
{% endif %}
        g.part{% for one in statistics("pairs") %},
{% if one == "pairs" %}
        e.used - g.used as pairs
{%- elif one == "rating_variance" %}
        {{ variance("rating") }} as rating_variance
{%- elif one == "error_variance" %}
        {{ variance("error") }} as error_variance
{%- elif one == "median_absolute_error" %}
        m.median_absolute_error
{%- elif one == "rating_range" %}
        e.rating_range
{%- else %}
        e.{{ one }} - g.{{ one }} as {{ one }}
{%- endif %}{% endfor %}

    from group_errors as g
    inner join rating_errors as e on {{ on_model("e", "g") }}{% if needs.median_absolute_error %}

    left join left_out_medians as m on {{ same_model("m", "g") }}m.part = g.part{% endif %}

) as s
