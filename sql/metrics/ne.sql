{#
title = "normalised entropy"
group = "probabilities"
formula = "logloss / (-q ln q - (1 - q) ln(1 - q)), q = the share of label 1; NULL if all labels are equal"
reference = "He et al. 2014, Practical lessons from predicting clicks on ads"
care = "above 1, the predictions are worse than the share of label 1 for every pair; where that share is near 0 or 1 it divides by a small number, so a few pairs decide it"
aliases = ["normalised_entropy", "normalized_entropy", "normalised_cross_entropy", "normalized_cross_entropy"]
grain = "rating"
bounds = [0]
better = "lower"
by_name = true
#}
{% set q = "(s.positives / " ~ double("s.pairs") ~ ")" %}
case
    when s.positives > 0 and s.positives < s.pairs
        then s.log_loss / s.pairs / (-{{ q }} * ln({{ q }}) - (1 - {{ q }}) * ln(1 - {{ q }}))
end
