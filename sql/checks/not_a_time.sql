{#
message = "{option}: '{value}' is not a date or a time; write it like 2026-03-01 or 2026-03-01 12:00"
#}
