{#
about = "sum of the discounted gains of the ideal list in the top k"
over = "user"
made_with = "gain"
empty = "0e0"

[joins]
d = "cross join discounts as d"
i = "left join ideals as i on i.profile = u.profile and i.relevant = u.relevant"

[options.ideal]
about = "which items the ideal list contains"
topic = "ideal"
default = "truth"
whole_list = ["candidates"]
needs_cutoff = ["constant"]
list_length = ["truth_returned"]

[options.ideal.values]
truth = "the user's k relevant items with the highest gains"
constant = "k items of gain 1, even if the user has fewer relevant items"
truth_uncut = "all of the user's relevant items, not cut at k"
truth_returned = "as truth, but no longer than the returned list"
candidates = "the k items with the highest gains in the user's list"
truth_as_given = "the items of the truth with rank <= k, in that order"
#}
{% set window = sql.filtered("u.entries", "e", "e.rank <= u.k") %}
{% set gains = choose("truth_window", k=sql.mapped(window, "e", "e.gain"), otherwise="i.gains") %}
{# If all gains are 1, the sum of the first discounts is the IDCG, so no gains are collected. #}
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
