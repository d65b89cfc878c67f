{#
title = "reciprocal rank"
group = "rank"
formula = "1 / rank of the first hit; 0 without a hit"
reference = "Voorhees 1999, TREC-8 question answering track"
care = "only the first hit counts: with several relevant items per user the others are ignored, and a hit that moves from rank 2 to rank 1 doubles the user's value, so means over few users are noisy"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5" }
aliases = ["mrr", "reciprocal_rank"]
default = 6
bounds = [0, 1]
further = "higher"
empty = "0e0"
of_means = "rr_mean"

[names]
lenskit = ["reciprank"]
recpack = ["reciprocalrankk"]
torchmetrics = ["retrievalmrr"]
trec_eval = ["recip_rank"]

[options.rr_cutoff]
about = "where the first hit counts"
topic = "definitions"
default = "k"

[options.rr_cutoff.values]
k = "in the top k"
none = "anywhere in the list, whatever the cut-off"

[options.rr_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.rr_mean.values]
users = "each user counts the same"
geometric = "exp of the mean of ln max(x, 1e-5): low values decide"
#}
{% if rr_cutoff == "k" %}
s.reciprocal_rank
{% else %}
s.reciprocal_rank_anywhere
{% endif %}
{# textbook #}
-- rr of the list a, b, c, d; relevant b, d and e: 1 / the rank of b = 0.5
select avg(u.rr) as rr
from (
    select t.user_id, coalesce(1e0 / min(r.rank), 0) as rr
    from truth as t
    left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id and r.rank <= 10
    where t.relevance > 0
    group by t.user_id
) as u;
