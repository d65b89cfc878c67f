{#
about = "a score is NaN or infinite"
matters = "such items have no place in an order, so the ranks of their lists can't be trusted"
advice = "leave such items out before ranking: where isfinite(score)"
severity = "error"
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
#}
{# NaN is the greatest number, so the ends of the scores tell. #}
{% set infinite %}
{{ sql.is_nan(double("f.best")) }} or {{ sql.is_infinite(double("f.best")) }} or {{ sql.is_infinite(double("f.least")) }}
{%- endset %}
select
    {{ model_of("f") }},
    count(case when {{ infinite }} then 1 end) as found,
    count(*) as total,
    min(case when {{ infinite }} then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.score
from given_recs as r
where {{ sql.is_nan(double("r.score")) }} or {{ sql.is_infinite(double("r.score")) }}
