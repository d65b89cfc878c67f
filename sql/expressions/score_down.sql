{#
about = "a score `x`, turned so that the highest is the best"
#}
{{ x if order == "desc" else "-" ~ x }}
