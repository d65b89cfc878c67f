{#
title = "balanced accuracy"
group = "confusion"
formula = "(recall + specificity) / 2, with recall = tp / R"
reference = "Brodersen, Ong, Stephan and Buhmann 2010"
care = "over a large catalogue specificity is close to 1 for every model, so the value is close to (1 + recall) / 2 and tells no more than recall; an empty list has 0.5"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.823", options = { catalog_size = 100 } }
aliases = ["balanced_accuracy_score"]
bounds = [0, 1]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
(1 - {{ metric.miss_rate }} + {{ metric.specificity | indent }}) / 2
