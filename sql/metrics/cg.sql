{#
title = "cumulative gain"
formula = "sum of the gains of the hits"
reference = "Järvelin and Kekäläinen 2002"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4, relevance := [3, 1, 2]", value = "4.0" }
aliases = ["cumulative_gain"]
bounds = [0]
needs = ["cg"]
#}
s.cg
