{#
about = "1 if the user has a list, else 0"
over = "user"
needs = ["lengths"]
#}
case when u.returned is null then 0 else 1 end
