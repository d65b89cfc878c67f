{#
row = "one row per model, cut-off and recommended item: its shares of the lists, added up in units of 1e-18"
grain = "item"
when = "needs.weights and valued"
#}
select
    {{ key_columns("s") }}s.k,
    s.item_id,
    {{ "sum(s.weight)" if item_groups else sql.exact_units("s.share") }} as weight
from {{ "group_weights" if item_groups else "list_shares" }} as s
group by {{ keys("s") }}s.k, s.item_id
