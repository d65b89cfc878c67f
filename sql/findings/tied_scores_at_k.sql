{#
about = "the items at ranks k and k + 1 have the same score"
matters = "which of them is in the top k is arbitrary"
advice = "average over all orders with rank_by='score' and ties='expected', or take the lowest value with ties='worst'"
severity = {warning = "f.unordered = 1 and f.found > 0.1 * f.total", note = "true"}
said = "warning above 10 % of lists if lists are ordered by score and ties are broken by id, else note"
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
#}
select
    {{ model_of("f") }},
    count(case when f.score_at_k = f.score_below_k then 1 end) as found,
    count(*) as total,
    min(case when f.score_at_k = f.score_below_k then f.user_id end) as example,
{% set by_id = ties in ["item_asc", "item_desc"] %}
    {{ "(select case when r.rank_by = 'score' then 1 else 0 end from given_recs as r limit 1)" if any_order and by_id else 1 if by_id and not by_rank else 0 }} as unordered
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, f.score_at_k as score
from list_facts as f
where f.score_at_k = f.score_below_k
