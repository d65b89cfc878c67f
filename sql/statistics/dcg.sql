{#
about = "discounted gains of the hits, summed"
over = "hits"
empty = "0e0"
#}
sum(h.gain * {{ discount("h.rank") }})
