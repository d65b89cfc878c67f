{#
title = "hit rate"
formula = "1 if any of the first k items is relevant"
reference = "Deshpande and Karypis 2004 (with one relevant item a user: leave-one-out)"
aliases = ["hit_rate", "hitrate", "hr", "hitratio", "success", "retrievalhitrate"]
default = 5
bounds = [0, 1]
sparse = "condition()"
#}
s.any_hit
