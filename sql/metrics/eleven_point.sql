{#
title = "eleven-point average precision"
group = "rank"
formula = "the mean of the interpolated precision at the recalls 0, 0.1, ..., 1"
reference = "Salton and McGill 1983; trec_eval, 11pt_avg"
care = "with fewer than ten relevant items, several of the levels are the same hit; ap has no levels, and tells more models apart"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.4091" }
aliases = ["eleven_point_average", "eleven_pt_avg"]
bounds = [0, 1]
#}
s.interpolated_precisions / 11
