{#
message = "{impressions}: `surface` is {surface} for {found} impressions, and gains= does not name it; give its types a gain there"
place = 4
on = ["given_impressions"]
when = "gains.by_surface"
#}
select
    {{ sentence(surface="i.surface", found="count(*)") | indent }} as message
from given_impressions as i
where {{ gains.lack("i.surface") }}
group by i.surface
order by count(*) desc, i.surface asc
limit 1
