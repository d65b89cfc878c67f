{#
title = "ideal discounted cumulative gain"
formula = "the DCG of the ideal list of k items"
reference = "Järvelin and Kekäläinen 2002"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.1309" }
aliases = ["ideal_dcg"]
bounds = [0]
better = "neither"
needs = ["idcg"]
#}
s.idcg
