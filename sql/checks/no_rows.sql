{#
message = "{recs} has no rows, so every user counts as having no list"
warning = true
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as listed from given_recs as r) as n
where n.listed = 0
