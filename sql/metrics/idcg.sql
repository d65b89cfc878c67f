{#
title = "ideal discounted cumulative gain"
group = "graded"
formula = "the DCG of the ideal list of k items"
reference = "Järvelin and Kekäläinen 2002"
care = "it describes the truth: by default it is the same for every model, and says nothing about the lists"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.1309" }
aliases = ["ideal_dcg"]
default_macro = true
bounds = [0]
better = "neither"
#}
s.idcg
