{#
row = "one row per slice and segment with users in the mean of a model"
when = "sliced and user_metrics and target in ['evaluate', 'partial']"
#}
select distinct h.slice, h.segment
from headcount as h
