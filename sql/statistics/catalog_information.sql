{#
about = "entropy in bits of the catalogue items recommended in the top k"
over = "items"
needs = ["catalog"]
#}
{% set information = "f.catalog_items * (f.times / f.catalog_total) * log2(f.catalog_total / f.times)" %}
{{ sql.exact_sum("case when f.catalog_items > 0 then " ~ information ~ " end") }}
