{#
message = "by: the result already has a column {name}; rename that of the segments in a view"
#}
