{#
about = "number of items in the top k, counted if the ranks have gaps"
over = "user"
needs = ["lengths", "ranks"]
#}
coalesce({{ sql.length(sql.filtered("u.ranks", "e", "e <= u.k")) }}, least(coalesce(u.returned, 0), u.k))
