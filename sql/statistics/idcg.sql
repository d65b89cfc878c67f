{#
about = "discounted gains of the ideal list down to k, summed"
over = "user"
made_with = "gain"
empty = "0e0"

[joins]
d = "cross join discounts as d"
i = "left join ideals as i on i.profile = u.profile and i.relevant = u.relevant"

[options.ideal]
about = "what the ideal list is made of"
topic = "ideal"
default = "truth"
whole_list = ["candidates"]
needs_cutoff = ["constant"]
list_length = ["truth_returned"]

[options.ideal.values]
truth = "the user's relevant items by gain, the first k"
constant = "k items of gain 1, whether he has them or not"
truth_uncut = "the user's relevant items, not cut at k"
truth_returned = "as truth, and no longer than the list that was returned"
candidates = "the items of his own list by gain, the first k"
truth_as_given = "the truth in the order of its rank, not sorted"
#}
{% set window = sql.filtered("u.entries", "e", "e.rank <= u.k") %}
{% set gains = choose("truth_window", k=sql.mapped(window, "e", "e.gain"), otherwise="i.gains") %}
{# Where all gains are 1, the discounts of as many ranks are enough, and nobody's gains are collected. #}
{% set ones = rendering.gains_of_one %}
{% macro best(n) %}{{ sql.total(sql.first("d.weights", "least(" ~ n ~ ", " ~ statistic.relevant ~ ")")) if ones else sql.dot(sql.first(gains, n), "d.weights") }}{% endmacro %}
{{ choose("ideal",
    truth=best("u.k"),
    constant=sql.total(sql.first("d.weights", "u.k")),
    truth_uncut=sql.total(sql.first("d.weights", statistic.relevant)) if ones else sql.dot(gains, "d.weights"),
    truth_returned=best("least(u.k, " ~ statistic.returned ~ ")"),
    candidates=sql.dot(sql.first(statistic.candidate_gains, "u.k"), "d.weights"),
    truth_as_given=sql.total(sql.mapped(window, "e", "e.gain * " ~ discount("e.rank"))),
) }}
