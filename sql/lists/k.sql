{#
about = "the cut-off; without one, the length of the list"
#}
coalesce(l.cutoff, greatest(len(l.recommended), 1))
