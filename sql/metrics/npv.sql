{#
title = "negative predictive value"
group = "confusion"
formula = "tn / (tn + fn): of the items that are not in the top k, the share that is not relevant"
reference = "Vecchio 1966, Predictive value of a single diagnostic test; New England Journal of Medicine 274"
care = "almost the whole catalogue is neither relevant nor in the top k, so the value is close to 1 for every model, and depends more on the number of relevant items than on the model"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.9896", options = { catalog_size = 100 } }
aliases = ["negative_predictive_value"]
bounds = [0, 1]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
{{ metric.tn }} / {{ double("nullif(s.candidates - " ~ ("s.k" if fp_count == "k" else "s.returned") ~ ", 0)") }}
