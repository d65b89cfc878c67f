{#
title = "ideal discounted cumulative gain"
formula = "the DCG of the ideal list of k items"
reference = "Järvelin and Kekäläinen 2002"
aliases = ["ideal_dcg"]
bounds = [0]
better = "neither"
needs = ["idcg"]
#}
s.idcg
