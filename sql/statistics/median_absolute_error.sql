{#
about = "median of |rating - prediction|"
over = "pairs"
#}
percentile_cont(5e-1) within group (order by abs(p.rating - p.prediction))
