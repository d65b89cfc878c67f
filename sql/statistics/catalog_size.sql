{#
about = "number of items in the catalogue; an error if more than catalog_size of them are recommended"
over = "run"
#}
{% set size = rendering.expression("expressions/catalog_size.sql") %}
{% set checked %}
case
    when {{ statistic.catalog_items }} > {{ size }}
        then {{ refusal("catalog_items", size=size, found=statistic.catalog_items, k=said_k("c.k")) }}
    else {{ double(size) }}
end
{% endset %}
{{ is_given("catalog_size").then(checked | trim, double("(select count(*) from catalog as g)")) }}
