{#
row = "one row per model, cut-off, recommended item and group of users: its shares of their lists, added up in units of 1e-18"
grain = "item"
when = "item_groups and needs.weights"
#}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k,
    y.item_id,
    u.part,
    {{ sql.exact_units("y.share") }} as weight
from list_shares as y
{% if sliced %}
{{ with_segments("y") }}
{% endif %}
inner join user_groups as u on u.user_id = y.user_id
group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k, y.item_id, u.part
