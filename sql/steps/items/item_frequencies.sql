{#
row = "one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often"
grain = "item"
#}
select
    {{ key_columns("n") }}n.k,
{% if item_groups %}
    n.part,
{% endif %}
    n.times,
    n.items,
{% if needs.weights %}
    {{ sql.of_units("n.weight") }}{{ " as weight" if not plain }},
{% endif %}
{% if needs.catalog %}
    n.catalog_items,
    sum(n.catalog_items) over (partition by {{ keys("n") }}n.k{{ ", n.part" if item_groups }} order by n.times asc) - n.catalog_items as catalog_below,
    {{ double("sum(n.times * n.catalog_items) over (partition by " ~ keys("n") ~ "n.k" ~ (", n.part" if item_groups else "") ~ ")") }} as catalog_total,
{% endif %}
{% if needs.train %}
    n.train_items,
{% endif %}
    sum(n.items) over (partition by {{ keys("n") }}n.k{{ ", n.part" if item_groups }} order by n.times asc) - n.items as below,
    {{ double("sum(n.times * n.items) over (partition by " ~ keys("n") ~ "n.k" ~ (", n.part" if item_groups else "") ~ ")") }} as total
from (
{% if item_groups %}
    select
        {{ key_columns("i") | indent(4) }}i.k,
        i.part,
        i.times,
{% if needs.catalog %}
        sum(i.catalog_items) as catalog_items,
{% endif %}
{% if needs.train %}
        sum(i.train_items) as train_items,
{% endif %}
{% if needs.weights %}
        sum(i.weight) as weight,
{% endif %}
        sum(i.items) as items
    from item_changes as i
    group by {{ keys("i") }}i.k, i.part, i.times
    having sum(i.items) > 0
{% else %}
    {{ items_by_times() | indent }}
{% endif %}
) as n
