{#
about = "1 / rank of the first hit in the top k; NULL without a hit"
over = "hits"
#}
{{ summed("h.leads / nullif(h.rank, 0)") if expected else "1e0 / nullif(min(h.rank), 0)" }}
{# over two lists #}
1e0 / list_min({{ hits }})
