{#
about = "what a hit h adds to a sum: `x`, or the expected value of `x` if ties spread the hit over several ranks"
#}
{{ choose("ties", expected=x ~ " * h.probability", otherwise=x) }}
