{#
row = "one row per model, item and cut-off: how often it stands below the cut-off before, down to this one"
grain = "item"
#}
{% set band = sql.nth("b.cutoffs", "cast(r.rank as bigint)") %}
select
    r.model,
    r.item_id,
    {{ band }} as k,
{% if rendering.reads("b.exposure") %}
    {{ sql.exact_sum(rendering.some(gini_weight="exposure").then(discount("r.rank"))) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
cross join bands as b
group by r.model, r.item_id, {{ band }}
