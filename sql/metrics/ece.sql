{#
title = "expected calibration error"
group = "probabilities"
formula = "sum over the bins of p of pairs in the bin / pairs x |mean label - mean p|"
reference = "Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017"
care = "with few pairs in a bin it is above 0 even for perfect probabilities, more so with more bins; compare it only at the same bins and number of pairs"
aliases = ["expected_calibration_error"]
grain = "rating"
bounds = [0, 1]
better = "lower"
by_name = true
sum_of = "calibration_gap"
without_interval = "ece_norm == 'max'"

[options.ece_bins]
about = "the number of bins; papers on neural networks have 15"
topic = "ratings"
default = 10
type = "integer"
at_least = 1
at_most = 10000
splits = true

[options.ece_norm]
about = "what becomes of the gaps of the bins, |mean label - mean p|"
topic = "ratings"
default = "mean"

[options.ece_norm.values]
mean = "their mean, each bin weighted by its number of pairs"
max = "the largest one, known as MCE"

[options.ece_binning]
about = "how the probabilities are divided into bins"
topic = "ratings"
default = "width"
splits = true

[options.ece_binning.values]
width = "bins of equal width: from 0 to below 0.1 and so on; the last one has 1 as well"
quantile = "bins of equally many pairs, except that equal probabilities are in one bin"
#}
{{ "s.largest_gap" if ece_norm == "max" else "s.calibration_gap / nullif(s.pairs, 0)" }}
