{#
title = "hit rate"
formula = "1 if any of the first k items is relevant"
reference = "Deshpande and Karypis 2004 (with one relevant item a user: leave-one-out)"
aliases = ["hit_rate"]
default = 5
bounds = [0, 1]
sparse = "condition()"

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
