{#
about = "R: the number of relevant items of the user"
over = "user"
positive = "true"
#}
{{ "u.relevant" if plain and plain_population else "coalesce(u.relevant, 0)" }}
