{#
title = "expected reciprocal rank"
group = "graded"
formula = "sum of 1 / rank x the probability that a reader stops there; an item of grade g stops a reader with probability (2^g - 1) / 2^4"
reference = "Chapelle, Metzler, Zhang and Grinspan 2009"
care = "with a truth of 0 and 1, set err_max_grade = 1: at the default of 4 a relevant item stops only one reader in 16, and all values are close to 0"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.0459" }
aliases = ["expected_reciprocal_rank"]
bounds = [0, 1]
further = "{{ 'higher' if err_normalize == 'none' else 'either' }}"
exceeds = "err_normalize == 'ideal' and duplicates == 'count'"
empty = "0e0"
by_name = true

[[requires]]
where = { err_normalize = "ideal", truth_window = "k" }

[options.err_normalize]
about = "what the sum is divided by"
topic = "retrieval"
default = "none"

[options.err_normalize.values]
none = "nothing"
ideal = "its value for the ideal list, the k relevant items with the highest grades (nERR)"

[options.err_max_grade]
about = "the highest grade; an item of grade g stops the reader with the probability (2^g - 1) / 2^err_max_grade"
topic = "retrieval"
default = 4
type = "integer"
at_least = 1
at_most = 100
splits = true
#}
{% if err_normalize == "ideal" %}
s.expected_stop / nullif(s.ideal_stop, 0e0)
{% else %}
s.expected_stop
{% endif %}
