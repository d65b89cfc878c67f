{#
row = "one row per model, cut-off and recommended item (and group of users that is left out): its exposure, and its place in ascending order of exposure"
grain = "item"
#}
{% set of_catalog = "g.item_id is not null" if with_catalog and needs.catalog else "true" %}
{% set part = ", i.part" if item_groups else "" %}
select
    {{ key_columns("i") }}i.k,
{% if item_groups %}
    i.part,
{% endif %}
    {{ sql.of_units("i.exposure") }}{{ " as exposure" if not plain }},
    {{ of_catalog }} as is_of_catalog,
    row_number() over (partition by {{ keys("i") }}i.k{{ part }}, {{ of_catalog }} order by i.exposure asc, i.item_id asc) as catalog_place,
    row_number() over (partition by {{ keys("i") }}i.k{{ part }} order by i.exposure asc, i.item_id asc) as place
{% if item_groups %}
from (
    select
        {{ key_columns("c") | indent(4) }}c.k,
        o.part,
        c.item_id,
        c.exposure - coalesce(p.exposure, 0) as exposure
    from item_counts as c
    {{ with_left_out("c") }}
    left join group_counts as p on {{ same_keys("p", "c") }}p.k = c.k and p.item_id = c.item_id and p.part = o.part
    where c.times > coalesce(p.times, 0)
) as i{% else %}
from item_counts as i{% endif %}{% if with_catalog and needs.catalog %}

left join catalog as g on g.item_id = i.item_id{% endif %}

