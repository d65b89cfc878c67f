{#
about = "J: the number of items that are judged not relevant"
needs = ["rejected"]
#}
len(l.rejected)
