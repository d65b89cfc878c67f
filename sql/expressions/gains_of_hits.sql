{#
about = "the gains of the hits h, highest first; a hit that ties spread over several ranks has one gain"
#}
{{ sql.sorted_down("h.gain", "h.place = 1") if expected else sql.sorted_down("h.gain") }}
