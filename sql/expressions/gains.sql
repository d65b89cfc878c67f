{#
Relevance, gains and discounts: expressions over an item of the truth, or a hit.
#}

-- name: is_relevant
{#
about = "whether an item with relevance `x`, by default t.relevance of a row `t` of the truth, is relevant"
of_all = true

[options.relevant]
about = "which items of the truth are relevant"
topic = "relevance"
default = "positive"

[options.relevant.values]
positive = "items with relevance > 0, or >= relevance_threshold if it is given"
present = "all items, whatever their relevance; what adds up gains refuses a gain below 0"

[options.relevance_threshold]
about = "the lowest relevance that counts as relevant; by default, any relevance above 0"
topic = "relevance"
type = "number"
aliases = ["rel"]
#}
{% if relevant == "present" %}
true
{% elif relevance_threshold is none %}
{{ x }} > 0
{% else %}
{{ x }} >= {{ relevance_threshold }}
{% endif %}

-- name: gain_of
{#
about = "what a relevant item `item` with relevance `x` adds to cg and dcg"

[options.gain]
about = "what a relevant item adds to cg and dcg"
topic = "relevance"
default = "linear"

[options.gain.values]
linear = "the relevance, or 1 if the truth has no column relevance"
binary = "1"
exp2 = "2 ^ relevance - 1"
exp2_shifted = "2 ^ (relevance - relevance_threshold + 1) - 1"
map = "the gain that gain_map gives for the relevance"

[options.gain_map]
about = "the gain of each relevance, for gain = map; a relevance without an entry is an error"
topic = "relevance"
type = "map"
where = { gain = "map" }
#}
{% set looked_up = gain_map.of(x) if gain_map else "cast(null as double)" %}
{% if gain == "binary" %}
1e0
{% elif gain == "exp2" %}
(power(2e0, {{ x }}) - 1)
{% elif gain == "exp2_shifted" %}
(power(2e0, {{ x }} - coalesce({{ "null" if relevance_threshold is none else relevance_threshold }}, 0) + 1) - 1)
{% elif gain == "map" and plain %}
{{ looked_up }}
{% elif gain == "map" and checked %}
{# The check gain_map refuses a relevance without a gain, before others see NaN. #}
coalesce({{ looked_up }}, {{ double("'nan'") }})
{% elif gain == "map" %}
coalesce({{ looked_up }}, {{ refusal("gain_map", relevance=x, user="t.user_id", item=item) }})
{% else %}
{{ x }}
{% endif %}

-- name: as_weighted
{#
about = "what a hit `h` adds to a sum: `x`, times the weight of its item if items have weights"

[options.weighting]
about = "whether a hit counts 1 / the propensity of its item, which is the chance that somebody who likes the item could have seen it"
topic = "propensity"
default = "none"

[options.weighting.values]
none = "no: each hit counts the same"
ips = "yes: inverse propensity scoring"
snips = "yes, and the sum is divided by that of all relevant items of the user: self-normalised, at most 1"
#}
{{ x }}{{ " * h.weight" if weighting != "none" }}

-- name: weight_of
{#
about = "the weight of a row `t` of the truth, of which the columns `t.propensity` or, from train, `x.propensity` are known"

[options.propensity]
about = "the column of truth with the propensity of each item, at most 1; of an item twice in a truth, the lower one"
topic = "propensity"
type = "column"
where = { weighting = "ips snips" }

[options.propensity_power]
about = "the propensity is (users of the item in train / users of the most popular item) ^ this power; there is no default, as no power is right for all data"
topic = "propensity"
type = "number"
at_least = 0
at_most = 10
where = { weighting = "ips snips" }

[options.propensity_unseen]
about = "the propensity of an item that is not in train"
topic = "propensity"
default = "one"
where = { weighting = "ips snips" }

[options.propensity_unseen.values]
one = "that of an item with one user"
zero = "0, for which propensity_floor stands"

[options.propensity_floor]
about = "the lowest propensity: smaller ones, and NULL in a column, are taken to be this one, so that no weight is above 1 / propensity_floor"
topic = "propensity"
type = "number"
at_least = 1e-9
at_most = 1
where = { weighting = "ips snips" }
#}
{% if propensity_power is not none %}
{% set unseen = "0e0" if propensity_unseen == "zero" else "(select min(p.of_one_user) from item_propensities as p)" %}
{% set chance = "coalesce(x.propensity, " ~ unseen ~ ")" %}
{% else %}
{% set chance = "t.propensity" %}
{% endif %}
{% if propensity_floor is not none %}
(1e0 / greatest({{ chance }}, {{ double(propensity_floor) }}))
{% else %}
{# A check refuses what is below 1e-9, but an engine may evaluate this first. #}
(1e0 / {{ chance if plain else "greatest(" ~ chance ~ ", 1e-9)" }})
{% endif %}

-- name: gains_down
{#
about = "the gains `x` of an ideal list as columns: highest first, and these discounted in units of 1e-18"
#}
{% if needs.ideal_stop %},
    {{ sql.sorted_down(x) }} as gains{% endif %}{% if needs.idcg %},
    {{ sql.discounted(sql.sorted_down(x), discount_at) }} as weights{% endif %}

-- name: gains_of_hits
{#
about = "the gains of the hits h, highest first; a hit that ties spread over several ranks has one gain"
#}
{{ sql.sorted_down("h.gain", "h.place = 1") if expected else sql.sorted_down("h.gain") }}

-- name: discount_at
{#
about = "the factor of the gain at rank `x`"
also = "item"

[options.discount]
about = "the factor that a gain is multiplied by at its rank"
topic = "discount"
default = "log2p1"

[options.discount.values]
log2p1 = "1 / log2(rank + 1)"
jk2002 = "1 / max(1, log2(rank)), as in Järvelin and Kekäläinen 2002"
ln1p = "1 / ln(rank + 1)"
geometric = "discount_p ^ (rank - 1)"
none = "1: no discount"

[options.discount_p]
where = { discount = "geometric" }
about = "the factor from one rank to the next, for discount = geometric"
topic = "discount"
default = 0.8
type = "number"
above = 0
at_most = 1
#}
{# A check refuses rank 0, but Spark may evaluate this expression first. nullif avoids a division by zero. #}
{% if discount == "log2p1" %}
(1e0 / nullif(log2({{ x }} + 1), 0))
{% elif discount == "jk2002" %}
(1e0 / greatest(1e0, log2({{ x }})))
{% elif discount == "ln1p" %}
(1e0 / nullif(ln({{ x }} + 1), 0))
{% elif discount == "geometric" %}
power({{ double(discount_p) }}, {{ x }} - 1)
{% else %}
1e0
{% endif %}

-- name: stop_chance
{#
about = "the probability that a reader stops at an item of gain `x`; the gain is the grade g, or 2^g - 1, depending on the option gain"
#}
{% if gain in ["exp2", "exp2_shifted"] %}
(greatest({{ x }}, 0e0) / power(2e0, {{ err_max_grade }}))
{% else %}
((power(2e0, greatest({{ x }}, 0e0)) - 1) / power(2e0, {{ err_max_grade }}))
{% endif %}

-- name: has_ideal
{#
about = "whether a user `s` of at_k with relevant items is in the mean; some options require a positive IDCG"
of_all = true
needs = ["idcg if zero_ideal == 'skip'", "relevant if zero_ideal == 'skip'"]

[options.zero_ideal]
about = "what happens to a user whose ideal list has no gain in the top k"
topic = "discount"
default = "null"

[options.zero_ideal.values]
null = "ndcg is NULL and left out of the mean (the column users counts the others)"
skip = "the user is left out of the mean of every metric at this k"
zero = "ndcg is 0"
one = "ndcg is 1"
#}
{% if zero_ideal == "skip" %}
s.idcg > 0
{% else %}
true
{% endif %}

-- name: value
{#
about = "a metric's value for a user in the mean: its expression, or the value that no_truth gives to a user without relevant items"
of_all = true
needs = ["relevant if no_truth not in ['skip', 'error'] or users == 'union'", "listed if no_truth == 'one_if_both_empty'"]

[options.no_truth]
about = "what happens to a user without relevant items, unless no_recs = skip leaves them out because they have no list"
topic = "population"
default = "skip"

[options.no_truth.values]
skip = "left out"
zero = "counted as 0 if the user has a list, or a row in the truth or in the table of users"
zero_below_threshold = "counted as 0 if the user has a row in the truth, else left out"
one = "counted as 1 by metrics between 0 and 1, else as 0"
one_if_both_empty = "counted as 1 by metrics between 0 and 1 if the user has no list, else as 0"
error = "an error"
#}
{% set cut = uncut and column.needs_cutoff %}
{# An expression that is never NULL has the same value in both branches, and 0 is no value of a metric that begins at 1. #}
{% set truthless = truthless and column.grain != "list" and (zero_ideal == "skip" or column.bounded or column.header.get("empty") != "0e0") and 1 not in column.header.bounds[:1] %}
{{ "case when s.k < " ~ whole ~ " then " if cut -}}
{{ "case when s.relevant > 0 then " if truthless -}}
{{ "case when s.idcg > 0 then " if zero_ideal == "skip" }}{{ natural }}{{ " end" if zero_ideal == "skip" -}}
{% if truthless %}{% if not column.bounded %} else coalesce({{ natural }}, 0e0){% elif no_truth == "one" %} else 1e0
{%- elif no_truth == "one_if_both_empty" %} when s.listed = 0 then 1e0 else 0e0{% else %} else 0e0{% endif %} end{% endif -%}
{{ " end" if cut }}

-- name: hits_for
{#
about = "the hit that reaches a recall: `x`, the recall times R, rounded"
#}
floor({{ x }} + {{ "9e-1" if interpolated_precision_rounding == "up" else "5e-1" }})

-- name: label_of
{#
about = "the label of a pair with the rating `x`: 1 or 0"
grain = "rating"

[options.threshold]
about = "the lowest rating that counts as the label 1; by default, every rating must be 0 or 1"
topic = "ratings"
type = "number"
#}
{% if threshold is none %}
{{ x }}
{% else %}
case when {{ x }} >= {{ double(threshold) }} then 1e0 else 0e0 end
{% endif %}
