{#
message = "metric '{name}' is ambiguous: {meanings}; set like=, or choose one of {names}"
#}
