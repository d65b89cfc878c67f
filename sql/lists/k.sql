{#
about = "the cut-off; without one, the length of the list"
needs = ["cutoff", "recommended"]
#}
coalesce(l.cutoff, greatest(len(l.recommended), 1))
