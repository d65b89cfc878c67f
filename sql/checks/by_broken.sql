{#
message = "by: the column name {name} has a line break; rename it in a view"
#}
