{#
about = "a relevance, or an error if it is not a number"
parameters = "relevance, item"
#}
case when isfinite(relevance) then relevance else {{ refusal("relevance", relevance="relevance", item="item") }} end
