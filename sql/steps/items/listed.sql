{#
row = "one row per recommended item of the lists that count"
grain = "item"
inline = true
#}
select {{ model("r") }}r.user_id, r.item_id, {{ "min(r.rank) as rank" if duplicates in ["hole", "set"] else "r.rank" }}
from recommended as r{% if fixed %}

inner join given_users as g on g.user_id = r.user_id{% endif %}{% if duplicates in ["hole", "set"] %}

group by {{ model("r") }}r.user_id, r.item_id{% endif %}
