{#
about = "information in bits of an item, averaged within each list, then over lists"
over = "items"
needs = ["weights"]
#}
{# The items of a list have weights that add up to 1. #}
{{ sql.exact_sum("f.weight * log2(f.total / f.times)") }} / nullif({{ sql.exact_sum("f.weight") }}, 0e0)
