{#
about = "sum over the hits of min(b, R), b the number of items above the hit that are judged not relevant"
#}
list_sum(list_transform(l.hits, lambda r: least(len(list_filter(l.rejected, lambda b: b < r)), l.relevant)))
