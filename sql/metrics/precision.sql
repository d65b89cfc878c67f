{#
title = "precision"
group = "found"
formula = "hits / k"
reference = "Cleverdon, Mills and Keen 1966"
care = "a user with fewer than k relevant items can't reach 1, and a list shorter than k is divided by k all the same; where the truth lacks judgements, all values are too low"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5" }
aliases = ["recommender_precision"]
default = 3
bounds = [0, 1]
further = "higher"
credit = "{{ '1e0 / ' ~ depth if precision_denominator == 'k' }}"
weighting = "ips"
exceeds = "weighting == 'ips' or (precision_denominator == 'achievable' and duplicates == 'count')"
empty = "0e0"
needs = ["cutoff if precision_denominator == 'k'"]
of_means = "precision_mean"

[names]
trec_eval = ["p"]
evidently = ["precisiontopk"]
hivemall = ["precision_at"]
ir_measures = ["p"]
recommenders = ["precision_at_k"]
recpack = ["precisionk"]
spark = ["precisionat", "precisionatk"]
torchmetrics = ["retrievalprecision"]

[options.precision_denominator]
about = "the denominator of precision"
topic = "definitions"
default = "k"

[options.precision_denominator.values]
k = "the cut-off, even if the list is shorter"
returned = "the number of items returned in the top k"
achievable = "min(k, R): the number of hits of a perfect list"

[options.precision_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.precision_mean.values]
users = "each user counts the same"
micro = "the sum of the numerators / the sum of the denominators: each place in a list counts the same"
#}
{% if precision_denominator == "k" %}
{% set denominator = "s.k" %}
{% elif precision_denominator == "returned" %}
{% set denominator = "s.returned" %}
{% else %}
{% set denominator = "least(s.k, s.relevant)" %}
{% endif %}
{{ "s.useful" if spans == "true" else "s.hits" if weighting == "none" else "s.hit_weights" }}
{# textbook #}
-- precision of the list a, b, c, d; relevant b, d and e: 2 hits / 10, however short the list = 0.2
select avg(u.precision) as precision
from (
    select t.user_id, count(r.item_id) / 10e0 as precision
    from truth as t
    left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id and r.rank <= 10
    where t.relevance > 0
    group by t.user_id
) as u;
