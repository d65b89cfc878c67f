{#
message = "{past} has no rows, so nothing is known of any user or item"
warning = true
on = ["given_past"]
when = "'items' not in tables"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as known from given_past as t) as n
where n.known = 0
