{#
title = "logarithmic loss"
group = "probabilities"
formula = "mean of -ln(p) over the pairs with label 1 and -ln(1 - p) over those with label 0"
reference = "Good 1952, Rational Decisions"
care = "one confident mistake can decide it: a pair at p = 0 with label 1 counts 36 at the default clip; it also depends on the share of label 1, so compare it only over the same pairs"
aliases = ["cross_entropy"]
grain = "rating"
bounds = [0]
better = "lower"
by_name = true
sum_of = "log_loss"

[names]
sklearn = ["log_loss"]

[options.logloss_clip]
about = "how close to 0 and 1 a probability can be; one that is closer is moved there. scikit-learn has 2^-52, the default; RecBole has 1e-15"
topic = "ratings"
default = 2.220446049250313e-16
type = "number"
above = 0
below = 0.5
splits = true
#}
s.log_loss / nullif(s.pairs, 0)
