{#
message = "start: without impressions, labels need the time from which events count, such as 2026-03-01; give start"
#}
