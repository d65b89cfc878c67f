{#
title = "specificity"
group = "confusion"
formula = "tn / (tn + fp): of the items that are not relevant, the share that is not in the top k; 1 - fallout"
reference = "Yerushalmy 1947, Statistical problems in assessing methods of medical diagnosis; Public Health Reports 62"
care = "almost the whole catalogue is not relevant and not in the top k, so the value is close to 1 for every model; an empty list has 1, so read it beside recall"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.9794", options = { catalog_size = 100 } }
aliases = ["true_negative_rate", "tnr"]
bounds = [0, 1]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
1 - {{ metric.fallout }}
