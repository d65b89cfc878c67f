{#
title = "false positive rate"
group = "confusion"
formula = "fp / (catalog_size - relevant): of the items that are not relevant, the share in the top k"
reference = "Swets 1963, Information retrieval systems; Science 141"
care = "almost the whole catalogue is not relevant, so the value is close to 0 for every model; an empty list has 0, the best value, so read it beside recall"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.0206", options = { catalog_size = 100 } }
aliases = ["false_positive_rate", "fpr"]
bounds = [0]
better = "lower"

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
{# tn refuses a catalogue that is too small. #}
case
    when {{ metric.tn | indent(8) }} >= 0e0
        then {{ metric.fp }} / {{ double("nullif(s.candidates - s.relevant, 0)") }}
end
