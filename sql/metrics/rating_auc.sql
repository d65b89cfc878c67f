{#
title = "area under the ROC curve over all pairs"
group = "probabilities"
formula = "share of the pairs of a label 1 and a label 0 in which label 1 has the higher prediction, ties half; NULL without both labels"
reference = "Hanley and McNeil 1982"
care = "pooled over users, it also rewards a model for knowing which users click most, which no list can show; mean = users compares within each user"
aliases = ["pooled_auc"]
grain = "rating"
bounds = [0, 1]
by_name = true

[names]
sklearn = ["roc_auc_score"]
#}
s.wins / nullif({{ double("s.positives") }} * (s.pairs - s.positives), 0e0)
