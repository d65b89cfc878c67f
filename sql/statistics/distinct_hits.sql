{#
about = "different relevant items among the first k: duplicates = count counts each copy as a hit, but the item is found once"
over = "hits"
empty = "0"
#}
{{ choose("ties",
    expected=sql.exact_sum("h.probability"),
    otherwise=choose("duplicates", count=sql.distinct("h.item_id"), otherwise="count(*)"),
) }}
