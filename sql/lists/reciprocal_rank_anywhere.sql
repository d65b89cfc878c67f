{#
about = "1 / rank of the first hit in the whole list; NULL without a hit"
needs = ["found"]
#}
1e0 / (l.found)[1].rank
