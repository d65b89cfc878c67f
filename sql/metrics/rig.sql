{#
title = "relative information gain"
group = "probabilities"
formula = "1 - logloss / (-q ln q - (1 - q) ln(1 - q)), q = the share of label 1; 1 - ne; NULL if all labels are equal"
reference = "He et al. 2014, Practical lessons from predicting clicks on ads"
care = "below 0, the predictions are worse than the share of label 1 for every pair; it falls without limit for confident mistakes, as logloss rises"
aliases = ["relative_information_gain"]
grain = "rating"
bounds = []
by_name = true
#}
1 - {{ metric.ne }}
