{#
message = "{interactions}: {what}"
place = 3
on = ["given_interactions"]
when = "protocol != 'leave_one_out'"
#}
{% set empty = "'it has no rows, so there is nothing to split'" %}
{% set narrowed = "'core, user_min or item_min leaves no interaction; lower it'" %}
select
    {{ sentence(what="case when n.given = 0 then " ~ empty ~ " else " ~ narrowed ~ " end" if limited else empty) | indent }} as message
from (select count(*) as given from given_interactions as t) as n
{% if limited %}
cross join (select count(*) as kept from {{ split_input() }} as t) as k
where k.kept = 0
{% else %}
where n.given = 0
{% endif %}
