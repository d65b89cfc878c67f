{#
row = "one row per model, cut-off and recommended item: its information in bits"
grain = "item"
when = "needs.lists_at_k and target == 'evaluate'"
#}
select
    {{ key_columns("i") }}i.k,
    i.item_id,
    log2(sum(i.times) over (partition by {{ keys("i") }}i.k) / {{ double("i.times") }}) as information
from item_counts as i
