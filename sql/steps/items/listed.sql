{#
row = "one row per recommended item of the lists that count"
grain = "item"
inline = true
when = "of_items"
#}
{% set segment = "s.slice, " ~ segment_joined() ~ (" as segment, " if by_activity else ", ") if sliced else "" %}
select {{ model("r") }}{{ segment }}r.user_id, r.item_id, {{ "min(r.rank) as rank" if duplicates in ["hole", "set"] else "r.rank" }}
from recommended as r{% if fixed %}

inner join given_users as {{ "u" if sliced else "g" }} on {{ "u" if sliced else "g" }}.user_id = r.user_id{% endif %}{% if sliced %}

{{ with_segments("r") }}{% endif %}{% if duplicates in ["hole", "set"] %}

group by {{ model("r") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}r.user_id, r.item_id{% endif %}
