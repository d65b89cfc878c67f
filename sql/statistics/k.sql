{#
about = "the cut-off"
over = "user"
positive = "true"
#}
u.k
