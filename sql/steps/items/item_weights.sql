{#
row = "one row per model, cut-off and recommended item: the sum of its shares of the lists, in units of 1e-18"
plain_row = "one row per model, cut-off and recommended item: the sum of its shares of the lists"
grain = "item"
#}
{% if item_groups %}
select
    {{ key_columns("g") }}g.k,
    g.item_id{% for one in weight_columns %},
    sum(g.{{ one }}) as {{ one }}{% endfor %}

from group_weights as g
group by {{ keys("g") }}g.k, g.item_id
{% else %}
{{ shares_added("") }}
{% endif %}
