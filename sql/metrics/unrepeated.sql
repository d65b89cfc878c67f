{#
title = "share of lists without a repeated item"
group = "lists"
formula = "1 if no item is in the top k twice, else 0; then the mean over lists"
reference = "RecTools, UnrepeatedReco"
care = "it needs duplicates = count to find anything: by default, a repeated item is an error; users without a list are left out"
aliases = ["unrepeated_recommendations"]
grain = "list"
bounds = [0, 1]
by_name = true

[[requires]]
where = { duplicates = "first" }

[[requires]]
where = { duplicates = "last" }

[[requires]]
where = { duplicates = "hole" }

[[requires]]
where = { duplicates = "set" }

[options.unrepeated_deep]
about = "the value of a list with a repeated item"
topic = "shares"
default = "false"

[options.unrepeated_deep.values]
false = "0"
true = "its number of different items in the top k / its number of items there"
#}
{% if unrepeated_deep == "true" %}
s.different_items / {{ double("nullif(s.list_size, 0)") }}
{% else %}
case when s.different_items = s.list_size then 1e0 when s.different_items < s.list_size then 0e0 end
{% endif %}
