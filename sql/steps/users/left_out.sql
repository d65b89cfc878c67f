{#
row = "one row per group of users that is left out; NULL if none is"
when = "item_groups"
#}
select distinct g.part
from user_groups as g
union all
select null as part
