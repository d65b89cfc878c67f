{#
row = "one row per recommended item, up to the largest cut-off"
inline = true
#}
{% set whole_list = whole_list() %}
select r.model, r.user_id, r.item_id, r.rank{{ ", r.last" if unordered().possible }}
from ranked as r
{% if not whole_list.certain %}
where {{ "(" ~ whole_list.sql ~ ") or " if whole_list.possible }}r.rank <= {{ depth }}
{% endif %}
