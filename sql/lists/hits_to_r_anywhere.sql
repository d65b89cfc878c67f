{#
about = "relevant items in the first R ranks of the whole list"
needs = ["found", "entries"]
#}
len(list_filter(l.found, lambda h: h.rank <= len(l.entries)))
