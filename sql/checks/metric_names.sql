{#
message = "unknown metric '{name}'; {hint}choose one of {names}"
in_place = true
place = 1
on = ["asked"]
when = "named"
#}
select c.message
from recsql.check_metrics({{ asked_metrics }}, {{ every_metric }}, '{{ home }}') as c
