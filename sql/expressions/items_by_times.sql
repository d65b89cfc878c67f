{#
about = "one row per model, cut-off and number of times: how many items are recommended that often"
#}
select
    {{ key_columns("i") }}i.k,
    i.times,
{% if needs.catalog %}
    {{ "count(g.item_id)" if with_catalog else "count(*)" }} as catalog_items,
{% endif %}
{% if needs.train %}
    count(t.item_id) as train_items,
{% endif %}
{% if needs.weights %}
    sum(w.weight) as weight,
{% endif %}
    count(*) as items
from item_counts as i
{% if needs.weights %}
inner join item_weights as w on {{ same_keys("w", "i") }}w.k = i.k and w.item_id = i.item_id
{% endif %}
{% if needs.catalog and with_catalog %}
left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if needs.train %}
left join train_items as t on t.item_id = i.item_id
{% endif %}
group by {{ keys("i") }}i.k, i.times
