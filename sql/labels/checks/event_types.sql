{#
message = "{events}: `type` is {type} for {found} events, and gains= does not name it; give it a gain there, or one for all other types with other="
place = 4
on = ["given_events"]
when = "typed and other is none"
#}
select
    {{ sentence(type="e.type", found="count(*)") | indent }} as message
from given_events as e
where e.type not in ({{ gains.types }})
group by e.type
order by count(*) desc, e.type asc
limit 1
