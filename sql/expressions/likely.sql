{#
about = "what a hit h adds to a sum: `x`, or the expected value of `x` if ties spread the hit over several ranks"
#}
{{ x }}{{ " * h.probability" if expected }}
