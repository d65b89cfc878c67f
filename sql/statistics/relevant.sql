{#
about = "R: the number of relevant items of the user"
over = "user"
positive = "true"
#}
coalesce(u.relevant, 0)
