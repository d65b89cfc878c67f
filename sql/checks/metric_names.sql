{#
message = "unknown metric '{name}'; {hint}choose one of {names}"
#}
