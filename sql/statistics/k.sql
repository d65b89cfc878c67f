{#
about = "the cut-off"
over = "user"
#}
u.k
