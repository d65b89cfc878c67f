{#
title = "hit rate"
formula = "1 if any item in the top k is relevant, else 0"
reference = "Deshpande and Karypis 2004 (with one relevant item per user: leave-one-out)"
care = "with many relevant items per user or a large k nearly every list has a hit, and the values of all models are close to 1"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0" }
aliases = ["hit_rate"]
default = 5
bounds = [0, 1]

[names]
trec_eval = ["success"]
cornac = ["hitratio"]
elliot = ["hr"]
evidently = ["hitrate"]
hivemall = ["hitrate"]
ir_measures = ["success"]
rectools = ["hitrate"]
replay = ["hitrate"]
torchmetrics = ["retrievalhitrate"]
#}
s.any_hit
