{#
about = "1 / rank of the first hit in the whole list; NULL without a hit"
over = "list"
needs = ["whole_list"]
#}
{{ summed("h.leads / nullif(h.rank, 0)") if expected else "1e0 / nullif(min(h.rank), 0)" }}
{# over two lists #}
1e0 / list_min(l.hits)
