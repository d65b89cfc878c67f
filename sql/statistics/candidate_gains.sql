{#
about = "gains of the hits in the whole list, highest first"
over = "list"
made_with = "gain"
#}
{{ sql.sorted_down("h.gain", "h.place = 1" if condition(ties="expected").possible) }}
