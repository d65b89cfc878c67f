{#
row = "one row per model, cut-off and recommended item: its information in bits"
grain = "item"
#}
select
    i.model,
    i.k,
    i.item_id,
    log2(sum(i.times) over (partition by i.model, i.k) / {{ double("i.times") }}) as information
from item_counts as i
{{ rendering.some(entropy_scope="list").where }}
