{#
message = "by: {found} does not name a column; give a name such as 'country', or several"
#}
