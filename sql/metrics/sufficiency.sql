{#
title = "share of lists that have k items"
group = "lists"
formula = "1 if the list has k items in the top k, else 0; then the mean over lists"
reference = "RecTools, SufficientReco"
care = "users without a list are left out, so read it beside the number of lists"
aliases = ["sufficient_recommendations"]
grain = "list"
bounds = [0, 1]
by_name = true
needs = ["cutoff"]

[names]
rectools = ["sufficientreco"]

[options.sufficiency_deep]
about = "the value of a list with fewer than k items"
topic = "definitions"
default = "false"

[options.sufficiency_deep.values]
false = "0"
true = "its number of items in the top k / k"
#}
{% if sufficiency_deep == "true" %}
coalesce(s.list_size, 0) / {{ double("s.k") }}
{% else %}
case when coalesce(s.list_size, 0) >= s.k then 1e0 else 0e0 end
{% endif %}
