{#
about = "relevant items in the whole list"
needs = ["found"]
#}
len(l.found)
