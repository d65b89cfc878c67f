{#
about = "number of items in the catalogue; an error if more than catalog_size of them are recommended"
over = "run"
needs = ["catalog_count", "catalog_items if catalog_size is not none"]
grain = "item"
also = "user"

[options.catalog_size]
input = true
about = "the number of items that can be recommended"
topic = "catalogue"
type = "integer"
above = 0
at_most = 1000000000000
#}
{% set sentence = "catalog_size: {size} is too small; at k = {k} there are {found} different items" %}
{% if named %}
case
    when {{ statistic("catalog_items") }} > {{ catalog_size }}
        then {{ refusal(sentence, size=catalog_size, found=statistic("catalog_items"), k=said_k("c.k")) | indent(8) }}
    else {{ double("coalesce(" ~ catalog_size ~ ", (select count(*) from catalog as g))") }}
end
{% elif catalog_size is none %}
{{ double("(select count(*) from catalog as g)") }}
{% elif plain %}
{{ double(catalog_size) }}
{% else %}
case
    when {{ statistic("catalog_items") }} > {{ catalog_size }}
        then {{ refusal(sentence, size=catalog_size, found=statistic("catalog_items"), k=said_k("c.k")) | indent(8) }}
    else {{ double(catalog_size) }}
end
{% endif %}
{# over two lists #}
{{ double(catalog_size) }}
