{#
row = "one row per model, cut-off, recommended item and group of users: its shares of their lists, added up in units of 1e-18"
grain = "item"
when = "item_groups and needs.weights"
#}
select
    {{ key_columns("s") }}s.k,
    s.item_id,
    g.part,
    {{ sql.exact_units("s.share") }} as weight
from list_shares as s
inner join user_groups as g on g.user_id = s.user_id
group by {{ keys("s") }}s.k, s.item_id, g.part
