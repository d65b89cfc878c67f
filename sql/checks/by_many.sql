{#
message = "by: {found} columns; give at most 16"
#}
