{#
message = "gains: they differ by surface, and with organic='keep' there are events without a surface; give one gain per type"
place = 3
on = ["given_impressions"]
when = "organic == 'keep' and gains.by_surface"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as impressions from given_impressions as i) as n
where n.impressions > 0 and {{ gains.differ }}
