{#
row = "one row per recommended item, up to the largest cut-off"
inline = true
#}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from {{ ranked_rows }} as r{% if not needs.whole_list %}

where r.rank <= {{ depth }}{% endif %}
