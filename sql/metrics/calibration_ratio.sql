{#
title = "calibration ratio"
group = "probabilities"
formula = "sum of p / sum of the labels; NULL if no pair has label 1"
reference = "predicted over observed clicks, as in He et al. 2014"
care = "too high and too low probabilities cancel out: 1 says nothing about single pairs, and is what the share of label 1 as p gives; read it beside ece"
aliases = ["predicted_over_observed"]
grain = "rating"
bounds = [0]
better = "neither"
by_name = true
#}
s.predicted / nullif(s.positives, 0)
