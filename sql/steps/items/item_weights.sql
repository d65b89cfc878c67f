{#
row = "one row per model, cut-off and recommended item: its shares of the lists, added up in units of 1e-18"
grain = "item"
when = "needs.weights and valued"
#}
{% if item_groups %}
select
    {{ key_columns("g") }}g.k,
    g.item_id,
    sum(g.weight) as weight
from group_weights as g
group by {{ keys("g") }}g.k, g.item_id
{% else %}
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
    {{ sql.exact_units("y.share") }} as weight
from list_shares as y
{% if sliced %}
{{ with_segments("y") }}
{% endif %}
group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k, y.item_id
{% endif %}
