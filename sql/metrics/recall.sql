{#
title = "recall"
group = "found"
formula = "hits / R"
reference = "Cleverdon, Mills and Keen 1966"
care = "a user with more than k relevant items can't reach 1, so at a small k the users with the most relevant items lower the mean, whatever the model does"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.6667" }
aliases = ["recommender_recall"]
default = 2
bounds = [0, 1]
further = "either"
weighting = "ips snips"
exceeds = "weighting == 'ips' or duplicates == 'count'"
empty = "0e0"
of_means = "recall_mean"

[names]
evidently = ["recalltopk"]
hivemall = ["recall_at"]
ir_measures = ["r"]
recommenders = ["recall_at_k"]
recpack = ["recallk"]
spark = ["recallat", "recallatk"]
torchmetrics = ["retrievalrecall"]

[options.recall_denominator]
about = "the denominator of recall"
topic = "definitions"
default = "relevant"

[options.recall_denominator.values]
relevant = "R: the number of relevant items of the user"
achievable = "min(k, R): the number of hits of a perfect list"

[options.recall_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.recall_mean.values]
users = "each user counts the same"
micro = "the sum of the numerators / the sum of the denominators: each relevant item counts the same"
#}
{% if weighting == "snips" %}
{% set denominator = "s.total_weight" %}
{% elif recall_denominator == "relevant" %}
{% set denominator = "s.relevant" %}
{% else %}
{% set denominator = "least(s.k, s.relevant)" %}
{% endif %}
{{ "s.hits" if weighting == "none" else "s.hit_weights" }}
{# textbook #}
-- recall of the list a, b, c, d; relevant b, d and e: 2 hits / 3 = 0.6667
select avg(u.recall) as recall
from (
    select t.user_id, count(r.item_id) / cast(count(*) as double) as recall
    from truth as t
    left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id and r.rank <= 10
    where t.relevance > 0
    group by t.user_id
) as u;
