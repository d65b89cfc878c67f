{#
about = "lists have fewer than k items"
matters = "the missing ranks count as items that are not relevant"
advice = "ask the model for at least k items, or lower k"
severity = {warning = 0.05, note = 0}
unit = "lists"
table = "recs"
unless = "no list has k items (k_beyond_lists)"
#}
{% set short = "f.items < " ~ depth %}
select
    {{ model_of("f") }},
    case when max(f.items) >= {{ depth }} then count(case when {{ short }} then 1 end) end as found,
    count(*) as total,
    min(case when {{ short }} then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
where {{ "f.items < " ~ depth }}
