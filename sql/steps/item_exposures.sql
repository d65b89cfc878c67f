{#
row = "one row per model, cut-off and recommended item: its exposure, and its place in ascending order of exposure"
grain = "item"
#}
{% set catalog = is_given("items") | either(is_given("train")) %}
{% set of_catalog = catalog.then("g.item_id is not null", "true") %}
select
    i.model,
    i.k,
    i.exposure,
    {{ of_catalog }} as is_of_catalog,
    row_number() over (partition by i.model, i.k, {{ of_catalog }} order by i.exposure asc, i.item_id asc) as catalog_place,
    row_number() over (partition by i.model, i.k order by i.exposure asc, i.item_id asc) as place
from item_counts as i
{% if catalog.possible %}
left join catalog as g on g.item_id = i.item_id
{% endif %}
{{ rendering.some(gini_weight="exposure").where }}
