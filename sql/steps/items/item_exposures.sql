{#
row = "one row per model, cut-off and recommended item: its exposure, and its place in ascending order of exposure"
grain = "item"
when = "needs.exposures_at_k and target == 'evaluate'"
#}
{% set of_catalog = "g.item_id is not null" if with_catalog and needs.catalog else "true" %}
select
    {{ key_columns("i") }}i.k,
    i.exposure,
    {{ of_catalog }} as is_of_catalog,
    row_number() over (partition by {{ keys("i") }}i.k, {{ of_catalog }} order by i.exposure asc, i.item_id asc) as catalog_place,
    row_number() over (partition by {{ keys("i") }}i.k order by i.exposure asc, i.item_id asc) as place
from item_counts as i{% if with_catalog and needs.catalog %}

left join catalog as g on g.item_id = i.item_id{% endif %}
