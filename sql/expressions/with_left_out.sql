{#
about = "the join of the rows `x` with the groups of users `o` that are left out"
#}
{{ "inner join left_out as o on o.slice = " ~ x ~ ".slice and o.segment is not distinct from " ~ x ~ ".segment" if sliced else "cross join left_out as o" }}
