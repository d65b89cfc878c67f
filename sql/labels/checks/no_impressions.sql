{#
message = "{impressions}: it has no rows, so nothing can be labelled; leave it out to label events alone"
place = 1
on = ["given_impressions"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as impressions from given_impressions as i) as n
where n.impressions = 0
