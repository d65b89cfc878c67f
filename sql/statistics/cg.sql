{#
about = "sum of the gains of the hits"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains"]
#}
{{ summed("h.gain") }}
