{#
about = "in a comparison, the condition that the rows `x` and `of` have the same segment, before another condition; empty without slices"
#}
{{ x ~ ".slice = " ~ of ~ ".slice and " ~ x ~ ".segment is not distinct from " ~ of ~ ".segment and " if pairs_sliced }}
