{#
message = "by: {name} is named twice; name each slice once"
#}
