{#
about = "all items of a list have the same score"
matters = "the scores do not order the list, so its order is arbitrary"
advice = "look at what the model predicts for one of these users, or average over all orders with ties='expected'"
severity = {warning = 0.1}
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
unless = "the list has one item"
#}
select
    {{ model_of("f") }},
    count(case when f.best = f.least then 1 end) as found,
    count(*) as total,
    min(case when f.best = f.least then f.user_id end) as example
from list_facts as f
where f.scores > 1
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, {{ score_down("f.best") }} as score
from list_facts as f
where f.scores > 1 and f.best = f.least
