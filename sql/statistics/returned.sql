{#
about = "items of the list down to k; where its ranks have gaps, they are counted"
over = "user"
#}
coalesce({{ sql.length(sql.filtered("u.ranks", "e", "e <= u.k")) }}, least(coalesce(u.returned, 0), u.k))
