{#
about = "whether the relevance `x`, that of a row t of the truth, makes its item relevant"
of_all = true

[options.relevant]
about = "which items of the truth are relevant"
topic = "relevance"
default = "positive"

[options.relevant.values]
positive = "those with relevance > 0, or from relevance_threshold on"
present = "all of them, whatever their relevance"

[options.relevance_threshold]
about = "the lowest relevance that is relevant; by default any above 0"
topic = "relevance"
type = "number"
aliases = ["rel"]
#}
{% set x = x | default("t.relevance") %}
{{ choose("relevant",
    positive=is_given("relevance_threshold").then(x ~ " >= " ~ option("relevance_threshold"), x ~ " > 0"),
    present="true",
) }}
