{#
about = "distinct relevant items in the top k; duplicates = count counts each copy as a hit, but here the item counts once"
over = "hits"
empty = "0"
#}
{% if expected %}
{{ sql.exact_sum("h.probability") }}
{% elif duplicates == "count" %}
{{ sql.distinct("h.item_id") }}
{% else %}
count(*)
{% endif %}
