{#
title = "miss rate"
group = "found"
formula = "fn / R: of the relevant items, the share that is not in the top k; 1 - recall"
reference = "Yerushalmy 1947, Statistical problems in assessing methods of medical diagnosis; Public Health Reports 62"
care = "a user with more than k relevant items can't reach 0, so at a small k the users with the most relevant items raise the mean, whatever the model does"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.3333" }
aliases = ["false_negative_rate", "fnr"]
bounds = [0]
better = "lower"
#}
{{ metric.fn }} / {{ double("nullif(s.relevant, 0)") }}
