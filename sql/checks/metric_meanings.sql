{#
message = "unknown metric '{name}': it is {meanings}; one of {names}"
#}
