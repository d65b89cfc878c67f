{#
about = "gains of the hits in the whole list, highest first"
over = "list"
made_with = "gain_of"
needs = ["gains", "whole_list"]
#}
{{ sql.sorted_down("h.gain", "h.place = 1") if expected else sql.sorted_down("h.gain") }}
