{#
about = "whether an item with relevance `x`, by default t.relevance of a row `t` of the truth, is relevant"
of_all = true

[options.relevant]
about = "which items of the truth are relevant"
topic = "relevance"
default = "positive"

[options.relevant.values]
positive = "items with relevance > 0, or >= relevance_threshold if it is given"
present = "all items, whatever their relevance; what adds up gains refuses a gain below 0"

[options.relevance_threshold]
about = "the lowest relevance that counts as relevant; by default, any relevance above 0"
topic = "relevance"
type = "number"
aliases = ["rel"]
#}
{% if relevant == "present" %}
true
{% elif relevance_threshold is none %}
{{ x }} > 0
{% else %}
{{ x }} >= {{ relevance_threshold }}
{% endif %}
