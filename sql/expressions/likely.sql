{#
about = "what a hit h adds to a sum: `x`, or what is to be expected of it where ties put it at several ranks"
#}
{{ choose("ties", expected=x ~ " * h.probability", otherwise=x) }}
