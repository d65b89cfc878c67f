{#
title = "average precision"
group = "rank"
formula = "sum of precision at the rank of each hit / min(R, k)"
reference = "Buckley and Voorhees 2000; its mean over users is MAP"
care = "where the truth lacks judgements, an item that nobody judged counts as a miss and lowers the precision at every hit below it; with one relevant item per user, ap is the same as rr"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.3333" }
aliases = ["map", "average_precision"]
default = 4
bounds = [0, 1]
further = "either"
exceeds = "duplicates == 'count'"
empty = "0e0"
needs = ["cutoff if ap_denominator == 'k'"]
of_means = "ap_mean"

[names]
ranx = ["map"]
rectools = ["map"]
lenskit = ["averageprecision"]
recommenders = ["map_at_k"]
spark = ["meanaverageprecision", "meanaverageprecisionat"]
torchmetrics = ["retrievalmap"]
trec_eval = ["map_cut"]

[options.ap_denominator]
about = "the denominator of average precision"
topic = "definitions"
default = "achievable"

[options.ap_denominator.values]
achievable = "min(R, k): a perfect list scores 1 at every k"
relevant = "R: the number of relevant items of the user"
achievable_returned = "min(R, items returned in the top k)"
hits = "the number of hits in the top k"
k = "the cut-off"

[options.ap_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.ap_mean.values]
users = "each user counts the same"
geometric = "exp of the mean of ln max(x, 1e-5): low values decide"
#}
{% if ap_denominator == "achievable" %}
s.precision_sum / nullif(least(s.k, s.relevant), 0)
{% elif ap_denominator == "relevant" %}
s.precision_sum / nullif(s.relevant, 0)
{% elif ap_denominator == "achievable_returned" %}
s.precision_sum / nullif(least(s.relevant, s.returned), 0)
{% elif ap_denominator == "k" %}
s.precision_sum / nullif(s.k, 0)
{% elif ties in ["expected", "best", "worst"] %}
coalesce(s.split_precision, s.precision_sum / nullif(s.hits, 0))
{% else %}
s.precision_sum / nullif(s.hits, 0)
{% endif %}
{# textbook #}
-- ap of the list a, b, c, d; relevant b, d and e: precision 1 / 2 at b and 2 / 4 at d: (1 / 2 + 2 / 4) / min(3, 10) = 0.3333
select avg(u.ap) as ap
from (
    select t.user_id, coalesce(sum(t.nth * 1e0 / t.rank), 0) / least(count(*), 10) as ap
    from (
        select t.user_id, r.rank, row_number() over (partition by t.user_id order by r.rank asc nulls last) as nth
        from truth as t
        left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id and r.rank <= 10
        where t.relevance > 0
    ) as t
    group by t.user_id
) as u;
