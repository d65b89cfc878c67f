{#
message = "{events}: it has no rows, so nothing can be labelled; give the events of the window"
place = 1
on = ["given_events"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as events from given_events as e) as n
where n.events = 0
