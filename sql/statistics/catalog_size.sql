{#
about = "items of the catalogue; an error where more than catalog_size of them are recommended"
over = "run"
#}
{% set size = rendering.expression("expressions/catalog_size.sql") %}
{% set checked %}
case
    when {{ statistic.catalog_items }} > {{ size }}
        then {{ refusal("catalog_items", size=size, found=statistic.catalog_items, k="c.k") }}
    else {{ double(size) }}
end
{% endset %}
{{ is_given("catalog_size").then(checked | trim, double("(select count(*) from catalog as g)")) }}
