{#
row = "one row per slice and segment with lists of a model"
grain = "item"
when = "sliced and item_metrics and valued"
#}
select distinct l.slice, l.segment
from list_segments as l
