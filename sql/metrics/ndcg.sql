{#
title = "normalised discounted cumulative gain"
group = "graded"
formula = "DCG / IDCG; linear gain, ideal list from the whole truth cut at k"
reference = "Järvelin and Kekäläinen 2002"
care = "with one relevant item per user it takes large steps, from 1 at rank 1 to 0.63 at rank 2, so means over few users are noisy; an item that nobody judged has no gain"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.4982" }
aliases = ["normalized_discounted_cumulative_gain"]
default = 1
bounds = [0, 1]
further = "either"
exceeds = "duplicates == 'count' or ideal in ['constant', 'truth_as_given']"
of_means = "ndcg_mean"

[names]
recommenders = ["ndcg_at_k"]
recpack = ["ndcgk"]
sklearn = ["ndcg_score"]
spark = ["ndcgat", "ndcgatk"]
torchmetrics = ["retrievalnormalizeddcg"]
trec_eval = ["ndcg_cut"]

[options.ndcg_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.ndcg_mean.values]
users = "each user counts the same"
geometric = "exp of the mean of ln max(x, 1e-5): low values decide"
#}
{% if zero_ideal == "zero" %}
coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0)
{% elif zero_ideal == "one" %}
coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0)
{% else %}
s.dcg / nullif(s.idcg, 0e0)
{% endif %}
{# textbook #}
-- ndcg of the list a, b, c, d; relevant b, d and e, each of relevance 1:
-- (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4)) = 0.4982
select avg(u.dcg / u.idcg) as ndcg
from (
    select
        t.user_id,
        sum(case when t.found_at <= 10 then t.relevance / log2(t.found_at + 1) else 0 end) as dcg,
        sum(case when t.best_at <= 10 then t.relevance / log2(t.best_at + 1) else 0 end) as idcg
    from (
        select
            t.user_id,
            t.relevance,
            r.rank as found_at,
            row_number() over (partition by t.user_id order by t.relevance desc) as best_at
        from truth as t
        left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id
        where t.relevance > 0
    ) as t
    group by t.user_id
) as u;
