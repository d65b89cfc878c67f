{#
title = "area under the precision-recall curve"
group = "probabilities"
formula = "the mean over the pairs with label 1 of the share of label 1 among the pairs whose prediction is at least as high; NULL without a label 1"
reference = "Davis and Goadrich 2006; scikit-learn, average_precision_score"
care = "a random order has the share of label 1, so values of data with different shares can't be compared; all pairs together also reward a model for knowing which users click most, mean = users does not"
aliases = ["auprc", "auc_pr"]
grain = "rating"
bounds = [0, 1]
by_name = true
without_interval = "true"

[names]
sklearn = ["average_precision_score"]
#}
s.precision_total_of_labels / nullif(s.positives, 0)
