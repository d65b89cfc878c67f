{#
row = "one row per slice and segment with users in the mean of a model"
#}
select distinct h.slice, h.segment
from {{ "headcount" if fast else "per_segment" }} as h
