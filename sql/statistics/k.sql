{#
about = "the cut-off"
over = "user"
#}
c.k
