{#
about = "gains of the hits of the whole list, best first"
over = "list"
#}
{{ sql.sorted_down("h.gain") }}
