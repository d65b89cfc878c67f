{#
row = "one row per model, item and cut-off: how often the item is in the top k, but below the next smaller cut-off"
grain = "item"
#}
{% set exposed = rendering.some(gini_weight="exposure") %}
{% if "parts" in inputs.tables %}
select
    p.model,
    p.item_id,
    p.k,
{% if rendering.reads("b.exposure") %}
    {{ sql.of_units("sum(p.exposure)") }} as exposure,
{% endif %}
    sum(p.times) as times
from given_parts as p
where p.item_id is not null
group by p.model, p.item_id, p.k
{% else %}
{% set band = sql.nth("b.cutoffs", "try_cast(r.rank as bigint)") %}
{# A rank beyond the largest numeric cut-off belongs to the whole list, if that is requested. #}
{% set further = depth if depth == whole | string else "case when " ~ depth ~ " = " ~ whole ~ " then " ~ depth ~ " end" %}
{% set band = "coalesce(" ~ band ~ ", " ~ further ~ ")" if whole else band %}
select
    r.model,
    r.item_id,
    {{ band }} as k,
{% if rendering.reads("b.exposure") %}
    {{ exact(exposed.then(discount("r.rank"))) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
cross join bands as b
group by r.model, r.item_id, {{ band }}
{% endif %}
