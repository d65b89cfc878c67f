{#
about = "relevant items in the first R ranks of the top k"
needs = ["found", "entries", "k if deep"]
#}
len(list_filter({{ found_at_k }}, lambda h: h.rank <= len(l.entries)))
