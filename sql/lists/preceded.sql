{#
about = "sum over the hits of min(b, R), b the number of items above the hit that are judged not relevant"
needs = ["found", "rejected", "entries"]
#}
list_sum(list_transform(l.found, lambda h: least(len(list_filter(l.rejected, lambda r: r < h.rank)), len(l.entries))))
