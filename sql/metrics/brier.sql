{#
title = "Brier score"
group = "probabilities"
formula = "mean of (p - label)^2"
reference = "Brier 1950"
care = "if label 1 is rare, p = 0 for every pair has a score close to 0; compare it with the score of the share of label 1 as p"
aliases = ["brier_score"]
grain = "rating"
bounds = [0, 1]
better = "lower"
by_name = true
sum_of = "squared_label_error"

[names]
sklearn = ["brier_score_loss"]
#}
s.squared_label_error / nullif(s.pairs, 0)
