{#
about = "distinct relevant items in the top k; duplicates = count counts each copy as a hit, but here the item counts once"
over = "hits"
empty = "0"
#}
{% if not expected and duplicates == "count" %}
{{ sql.distinct("h.item_id") }}
{% else %}
{{ summed("1") }}
{% endif %}
{# over two lists #}
{{ "list_unique(list_transform(" ~ hits ~ ", lambda r: l.items[r]))" if duplicates == "count" else "len(" ~ hits ~ ")" }}
