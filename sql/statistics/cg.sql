{#
about = "gains of the hits, summed"
over = "hits"
made_with = "gain"
empty = "0e0"
#}
sum({{ likely("h.gain") }})
