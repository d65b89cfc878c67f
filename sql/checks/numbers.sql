{#
message = "{option}: {value} is not {bound}"
#}
