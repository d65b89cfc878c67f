{#
message = "by: {part}: give the ends of ranges in ascending order, as in age[18,25,35], or quantiles, as in age[q4]"
#}
