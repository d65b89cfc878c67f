{#
message = "by: {part}: give from 2 to 100 quantiles, as in activity[q4]"
#}
