{#
title = "hit rate"
group = "found"
formula = "1 if any item in the top k is relevant, else 0; with at_least = x, if x items are (all: if all R are)"
reference = "Deshpande and Karypis 2004 (with one relevant item per user: leave-one-out)"
care = "with many relevant items per user or a large k nearly every list has a hit, and the values of all models are close to 1"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0" }
aliases = ["hit_rate"]
default = 5
bounds = [0, 1]
further = "higher"
binary = true

[names]
trec_eval = ["success"]
cornac = ["hitratio"]
elliot = ["hr"]
evidently = ["hitrate"]
hivemall = ["hitrate"]
ir_measures = ["success"]
rectools = ["hitrate"]
replay = ["hitrate"]
torchmetrics = ["retrievalhitrate"]

[options.hit_at_least]
about = "the number of hits that a list needs"
topic = "definitions"
default = 1
type = "integer"
at_least = 1

[options.hit_at_least.values]
all = "as many as there are relevant items: 1 if the top k has them all"
#}
{% if hit_at_least == 1 %}
s.any_hit
{# 0 or 1 as arithmetic, because a CASE hides that a user without a hit has 0. #}
{% elif hit_at_least == "all" %}
{{ double("least(greatest(s.distinct_hits - s.relevant + 1, 0), s.distinct_hits, 1)") }}
{% else %}
{{ double("least(greatest(s.hits - " ~ (hit_at_least - 1) ~ ", 0), 1)") }}
{% endif %}
{# textbook #}
-- hit of the list a, b, c, d; relevant b, d and e: one of them is in the list = 1.0
select avg(u.hit) as hit
from (
    select t.user_id, case when count(r.item_id) > 0 then 1e0 else 0e0 end as hit
    from truth as t
    left join recs as r on r.user_id = t.user_id and r.item_id = t.item_id and r.rank <= 10
    where t.relevance > 0
    group by t.user_id
) as u;
