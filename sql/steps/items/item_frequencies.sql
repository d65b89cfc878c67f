{#
row = "one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often"
grain = "item"
#}
{% set over = "over (partition by " ~ keys("n") ~ "n.k" ~ (", n.part" if item_groups else "") %}
{% set weight = [sql.of_units("n.weight") ~ ("" if plain else " as weight")] %}
{% set of_catalog = [
    "n.catalog_items",
    "sum(n.catalog_items) " ~ over ~ " order by n.times asc) - n.catalog_items as catalog_below",
    double("sum(n.times * n.catalog_items) " ~ over ~ ")") ~ " as catalog_total",
] %}
{% set of_all = [
    "sum(n.items) " ~ over ~ " order by n.times asc) - n.items as below",
    double("sum(n.times * n.items) " ~ over ~ ")") ~ " as total",
] %}
{% set columns = ["n.times", "n.items"] + (weight if needs.weights else []) + (of_catalog if needs.catalog else [])
    + (["n.train_items"] if needs.train else []) + of_all %}
select
    {{ key_columns("n") }}n.k,
{% if item_groups %}
    n.part,
{% endif %}
    {{ read_of("item_frequencies", columns) }}
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
