{#
message = "by: there is no column {column} in {there}; {hint}there are {columns}{way}"
#}
