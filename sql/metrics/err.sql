{#
title = "expected reciprocal rank"
formula = "sum of 1 / rank x the probability of stopping there; at an item of grade g: (2^g - 1) / 2^4"
reference = "Chapelle, Metzler, Zhang and Grinspan 2009"
aliases = ["expected_reciprocal_rank"]
bounds = [0, 1]
empty = "0e0"
sparse = "true"
by_name = true
needs = ["expected_stop"]

[[requires]]
where = { ties = "expected" }

[options.err_max_grade]
about = "the highest grade; an item of grade g stops the reader with the probability (2^g - 1) / 2^err_max_grade"
topic = "retrieval"
default = 4
type = "integer"
at_least = 1
at_most = 100
splits = true
#}
s.expected_stop
