{#
about = "R: relevant items of the user"
over = "user"
#}
coalesce(u.relevant, 0)
