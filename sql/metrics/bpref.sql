{#
title = "binary preference"
group = "rank"
formula = "1 / R x the sum over all hits of 1 - min(b, R) / min(J, R): b of the J items judged not relevant are above the hit"
reference = "Buckley and Voorhees 2004, as in trec_eval 8 and later"
care = "with few items that are judged not relevant it hardly tells models apart: for a user without any, each hit counts 1, wherever it is in the list"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'c'], 4, relevance := [1, 1, 0]", value = "0.5" }
aliases = ["binary_preference"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"
by_name = true
of_means = "bpref_mean"

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }

[options.bpref_empty]
about = "what a hit counts for a user without items that are judged not relevant"
topic = "retrieval"
default = "one"

[options.bpref_empty.values]
one = "1"
null = "nothing: a user with a hit has no value, and is left out of the mean"

[options.bpref_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.bpref_mean.values]
users = "each user counts the same"
geometric = "exp of the mean of ln max(x, 1e-5): low values decide"
#}
{% if bpref_empty == "one" %}
(s.hits_anywhere - coalesce(s.preceded / {{ double("nullif(least(s.not_relevant, s.relevant), 0)") }}, 0e0)) / {{ double("nullif(s.relevant, 0)") }}
{% else %}
case
    when s.hits_anywhere = 0 then 0e0
    else (s.hits_anywhere - s.preceded / {{ double("nullif(least(s.not_relevant, s.relevant), 0)") }}) / {{ double("nullif(s.relevant, 0)") }}
end
{% endif %}
