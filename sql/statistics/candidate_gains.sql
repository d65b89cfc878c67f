{#
about = "gains of the hits of the whole list, best first"
over = "list"
made_with = "gain"
#}
{{ sql.sorted_down("h.gain", "h.place = 1" if condition(ties="expected").possible) }}
