{#
row = "one row per model: the number of users with a list"
when = "item_groups"
#}
select {{ model("l") }}count(*) as users
from lists as l{% if modelled %}

group by l.model{% endif %}

