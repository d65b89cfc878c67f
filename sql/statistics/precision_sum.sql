{#
about = "precision at the rank of each hit, summed"
over = "hits"
empty = "0e0"
#}
sum({{ likely("h.nth / " ~ double("h.rank")) }})
