{#
row = "one row per model, cut-off and number of times: how many items are recommended that often"
grain = "item"
when = "needs.items_at_k and target == 'evaluate'"
#}
select
{% if modelled %}
    n.model,
{% endif %}
    n.k,
    n.times,
    n.items,
{% if needs.catalog %}
    n.catalog_items,
    sum(n.catalog_items) over (partition by {{ model("n") }}n.k order by n.times asc) - n.catalog_items as catalog_below,
    {{ double("sum(n.times * n.catalog_items) over (partition by " ~ model("n") ~ "n.k)") }} as catalog_total,
{% endif %}
{% if needs.train %}
    n.train_items,
{% endif %}
    sum(n.items) over (partition by {{ model("n") }}n.k order by n.times asc) - n.items as below,
    {{ double("sum(n.times * n.items) over (partition by " ~ model("n") ~ "n.k)") }} as total
from (
    select
{% if modelled %}
        i.model,
{% endif %}
        i.k,
        i.times,
{% if needs.catalog %}
        {{ "count(g.item_id)" if with_catalog else "count(*)" }} as catalog_items,
{% endif %}
{% if needs.train %}
        count(t.item_id) as train_items,
{% endif %}
        count(*) as items
    from item_counts as i
{% if needs.catalog and with_catalog %}
    left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if needs.train %}
    left join train_items as t on t.item_id = i.item_id
{% endif %}
    group by {{ model("i") }}i.k, i.times
) as n
