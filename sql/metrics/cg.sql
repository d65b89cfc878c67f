{#
title = "cumulative gain"
formula = "sum of the gains of the hits"
reference = "Järvelin and Kekäläinen 2002"
aliases = ["cumulative_gain"]
bounds = [0]
sparse = "true"
needs = ["cg"]
#}
s.cg
