{#
row = "one row per model, cut-off and number of times: how many items are recommended that often"
grain = "item"
#}
{% set catalog = is_given("items") | either(is_given("train")) %}
{% set with_catalog = rendering.reads("f.catalog_items") %}
{% set with_train = rendering.reads("f.train_items") %}
select
    n.model,
    n.k,
    n.times,
    n.items,
{% if with_catalog %}
    n.catalog_items,
    sum(n.catalog_items) over (partition by n.model, n.k order by n.times asc) - n.catalog_items as catalog_below,
{% endif %}
{% if rendering.reads("f.catalog_total") %}
    {{ double("sum(n.times * n.catalog_items) over (partition by n.model, n.k)") }} as catalog_total,
{% endif %}
{% if with_train %}
    n.train_items,
{% endif %}
    sum(n.items) over (partition by n.model, n.k order by n.times asc) - n.items as below,
    {{ double("sum(n.times * n.items) over (partition by n.model, n.k)") }} as total
from (
    select
        i.model,
        i.k,
        i.times,
{% if with_catalog %}
        {{ catalog.then("count(g.item_id)", "count(*)") }} as catalog_items,
{% endif %}
{% if with_train %}
        count(t.item_id) as train_items,
{% endif %}
        count(*) as items
    from item_counts as i
{% if with_catalog and catalog.possible %}
    left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if with_train %}
    left join train_items as t on t.item_id = i.item_id
{% endif %}
    group by i.model, i.k, i.times
) as n
