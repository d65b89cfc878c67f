{#
kept = true
row = "one row per user with segments, slice and segment of the user"
when = "segmented"
#}
{% for one in slices %}
select{{ " distinct" if "segments" in tables }}
    v.user_id,
    {{ one.place }} as slice,
    {{ segment_of(one) | indent }} as segment
from segment_values as v
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
