{#
row = "one row per number of times: how many items are recommended that often to all users, and how the number changes without a group"
grain = "item"
#}
{# Without the group, an item has fewer times: its number of times over all users loses one item, and the lower number gains one. #}
{% macro changes(times, item, weight, further="") %}
select
    {{ key_columns("i") }}i.k,
    p.part,
    {{ times }},
{% if needs.catalog %}
    {{ "case when g.item_id is not null then " ~ item ~ " else 0 end" if with_catalog else item }} as catalog_items,
{% endif %}
{% if needs.train %}
    case when t.item_id is not null then {{ item }} else 0 end as train_items,
{% endif %}
{% if needs.weights %}
    {{ weight }} as weight,
{% endif %}
    {{ item }} as items
from group_counts as p
inner join item_counts as i on {{ same_keys("i", "p") }}i.k = p.k and i.item_id = p.item_id{{ further }}
{% if needs.weights %}
inner join item_weights as w on {{ same_keys("w", "i") }}w.k = i.k and w.item_id = i.item_id
inner join group_weights as v on {{ same_keys("v", "p") }}v.k = p.k and v.item_id = p.item_id and v.part = p.part
{% endif %}
{% if needs.catalog and with_catalog %}
left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if needs.train %}
left join train_items as t on t.item_id = i.item_id
{% endif %}
{% endmacro %}
select
    {{ key_columns("n") }}n.k,
    o.part,
    n.times,
{% if needs.catalog %}
    n.catalog_items,
{% endif %}
{% if needs.train %}
    n.train_items,
{% endif %}
{% if needs.weights %}
    n.weight,
{% endif %}
    n.items
from (
    {{ items_by_times() | indent }}
) as n
{{ with_left_out("n") }}
union all
{{ changes("i.times", item="-1", weight="-w.weight") | trim }}
union all
{{ changes("i.times - p.times as times", item="1", weight="w.weight - v.weight", further=" and i.times > p.times") | trim }}
