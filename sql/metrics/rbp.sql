{#
title = "rank-biased precision"
group = "graded"
formula = "(1 - p) x sum of gain x p^(rank - 1); p = 0.8"
reference = "Moffat and Zobel 2008"
care = "its highest value depends on the number of relevant items: with one of gain 1 it is 0.2 at p = 0.8, so compare it only over users with the same truth"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.2624" }
aliases = ["rank_biased_precision"]
default_macro = true
bounds = [0]
further = "{{ 'higher' if rbp_normalize == 'none' else 'either' }}"
credit = "{{ '(1 - ' ~ double(rbp_p) ~ ') * power(' ~ double(rbp_p) ~ ', ' ~ x ~ ' - 1) * ' ~ gain_of(double(judge__grade)) if rbp_normalize == 'none' }}"
weighting = "ips snips"
empty = "0e0"

[[requires]]
where = { rbp_normalize = "achievable", weighting = "ips snips" }
why = "the best list has no weights"

[options.rbp_p]
about = "the probability of going on from one rank to the next"
topic = "retrieval"
default = 0.8
type = "number"
above = 0
at_most = 1
aliases = ["p"]
splits = true

[options.rbp_normalize]
about = "what the sum of discounted gains is divided by"
topic = "retrieval"
default = "none"

[options.rbp_normalize.values]
none = "1 / (1 - p), the sum of p^(rank - 1) over an endless list"
achievable = "the sum of p^(rank - 1) over the first min(R, items returned in the top k) ranks"
#}
{% set denominator = "s.total_gain" if weighting == "snips" else "" %}
{% if rbp_normalize == "none" %}
(1 - {{ double(rbp_p) }}) * s.persistent_gain
{% else %}
{# The sum of a geometric series, which for p = 1 is the number of its terms. #}
s.persistent_gain / nullif(
    coalesce(
        (1 - power({{ double(rbp_p) }}, least(s.relevant, s.returned))) / nullif(1 - {{ double(rbp_p) }}, 0e0),
        least(s.relevant, s.returned)
    ),
    0e0
)
{% endif %}
