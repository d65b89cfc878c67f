{#
about = "items of the whole list, 0 without one"
over = "user"
#}
coalesce(u.returned, 0)
