{#
title = "share of users with a list"
group = "lists"
formula = "1 if the user has an item in the top k, else 0"
reference = "RecTools, CoveredUsers; Elliot, UserCoverage, which is a count"
care = "it says that users got a list, not that the list is any good; with no_recs = skip it leaves out the users that it is about"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0" }
aliases = ["covered_users"]
bounds = [0, 1]
binary = true
spans = false

[options.user_coverage_at_least]
about = "how many items the top k of a covered user has"
topic = "shares"
default = 1
type = "integer"
at_least = 1
#}
case when s.returned >= {{ user_coverage_at_least }} then 1e0 else 0e0 end
