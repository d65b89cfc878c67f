{#
about = "J: the number of items that are judged not relevant"
#}
len(l.rejected)
