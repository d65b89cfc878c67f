{#
about = "R: the number of relevant items of the user"
over = "user"
#}
coalesce(u.relevant, 0)
