{#
message = "{events}: no event is in the window from {start}; the first is of {first}, and the last of {last}"
place = 6
on = ["given_events"]
when = "not with_impressions"
#}
{% set begin = sql.time(literal(start)) %}
select
    {{ sentence(start=begin, first="n.first", last="n.last") | indent }} as message
from (
    select
        min(e.ts) as first,
        max(e.ts) as last,
        count(case when e.ts >= {{ begin }} and e.ts < {{ begin }} + {{ duration(window) }} then 1 end) as events
    from given_events as e
) as n
where n.events = 0
