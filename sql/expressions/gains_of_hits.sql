{#
about = "the gains of the hits h, highest first; ties that spread a hit over several ranks leave it one gain"
#}
{{ sql.sorted_down("h.gain", "h.place = 1") if expected else sql.sorted_down("h.gain") }}
