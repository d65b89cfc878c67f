{#
row = "one row per model, user and cut-off: the mean information of the items in the list"
grain = "item"
when = "needs.lists_at_k and target == 'evaluate'"
#}
select {{ keys("i") }}r.user_id, i.k, {{ sql.exact_mean("i.information") }} as information
from listed as r{% if sliced %}

{{ with_segments("r") }}{% endif %}

inner join item_information as i on {{ same_model("i", "r") }}{{ "i.slice = s.slice and i.segment is not distinct from " ~ segment_joined() ~ " and " if sliced }}i.item_id = r.item_id and i.k >= r.rank
group by {{ keys("i") }}r.user_id, i.k
