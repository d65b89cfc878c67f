{#
about = "the segment `g` that a user is in, in the slice `s`; NULL for a user without one"
#}
{{ "coalesce(g.segment, s.otherwise)" if by_activity else "g.segment" }}
