{#
row = "one row per position that a draw can give, with its item"
grain = "baseline"
#}
select p.item_id, row_number() over (order by p.item_id asc) - 1 as position
from pool as p{% if draw == "popularity" %}

inner join given_past as t on t.item_id = p.item_id{% endif %}

