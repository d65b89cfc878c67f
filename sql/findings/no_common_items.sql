{#
about = "the lists and the truth have no item in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = {error = "f.total >= 20", warning = "true"}
said = "error; warning below 20 relevant items"
unit = "items"
table = "truth"
column = "item_id"
counts = "not has_hit"
#}
{{ no_common_ids(ids="item_ids") }}
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_truth = 1 and i.in_recs = 0
