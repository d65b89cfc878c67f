{#
row = "one row per slice and segment with lists of a model"
grain = "item"
#}
select distinct l.slice, l.segment
from list_segments as l
