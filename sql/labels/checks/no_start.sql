{#
message = "start: without impressions, labels need the time from which events count, such as 2026-03-01; give start="
place = 1
on = ["given_events"]
when = "named and not with_impressions"
#}
select
    {{ sentence() | indent }} as message
where {{ start }} is null
