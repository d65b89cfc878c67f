{#
about = "whether a row t of the truth makes its item relevant"
of_all = true

[options.relevant]
about = "which items of the truth are relevant"
default = "positive"

[options.relevant.values]
positive = "those with relevance > 0, or from relevance_threshold on"
present = "all of them, whatever their relevance"

[options.relevance_threshold]
about = "the lowest relevance that is relevant; by default any above 0"
type = "number"
aliases = ["rel"]
#}
{{ choose("relevant",
    positive=is_given("relevance_threshold").then("t.relevance >= " ~ option("relevance_threshold"), "t.relevance > 0"),
    present="true",
) }}
