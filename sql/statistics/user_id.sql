{#
about = "the user"
over = "user"
#}
u.user_id
