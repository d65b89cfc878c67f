{#
about = "rank of the first hit in the top k; NULL without a hit"
over = "hits"
#}
{{ summed("h.leads * h.rank") if expected else "min(h.rank)" }}
{# over two lists #}
list_min({{ hits }})
