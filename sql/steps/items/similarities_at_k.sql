{#
row = "one row per model and cut-off: the statistics of how alike the lists are"
grain = "item"
sums = { over = "similarities", alias = "l", reader = "run_at_k" }
#}
{# Without a group of users, an item has less weight. #}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in statistics("similarities") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from (
{% if item_groups %}
    select
        {{ key_columns("w") | indent(4) }}w.k,
        o.part,
        {{ sql.of_units("w.root_weight - coalesce(g.root_weight, 0)") }}{{ " as root_weight" if not plain }}
    from item_weights as w
    {{ with_left_out("w") }}
    left join group_weights as g on {{ same_keys("g", "w") }}g.k = w.k and g.item_id = w.item_id and g.part = o.part
{% else %}
    select
        {{ key_columns("w") | indent(4) }}w.k,
        {{ sql.of_units("w.root_weight") }}{{ " as root_weight" if not plain }}
    from item_weights as w
{% endif %}
) as x
group by {{ keys("x") }}x.k{{ ", x.part" if item_groups }}
