{#
message = "{impressions}: the window of each request is still open at {until}; give a shorter window, events up to a later time, or complete='keep'"
place = 6
on = ["shown"]
when = "complete == 'drop'"
#}
select
    {{ sentence(until=end_of_events(x="")) | indent }} as message
from (
{% if requested %}
    select count(case when not s.is_open then 1 end) as closed
    from shown as s
{% else %}
    select count(case when i.ts <= {{ end_of_events(x=" - " ~ duration(window)) }} then 1 end) as closed
    from given_impressions as i
{% endif %}
) as n
where n.closed = 0
