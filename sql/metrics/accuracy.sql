{#
title = "accuracy"
group = "confusion"
formula = "(tp + tn) / catalog_size: the share of the catalogue that the top k puts on the right side"
reference = "Metz 1978, Basic principles of ROC analysis; Seminars in Nuclear Medicine 8"
care = "almost the whole catalogue is a true negative, so the value is close to 1 for every model, and an empty list beats most others; mcc is not misled by that"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.97", options = { catalog_size = 100 } }
aliases = ["accuracy_score"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
(s.hits + {{ metric.tn }}) / s.candidates
