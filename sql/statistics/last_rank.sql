{#
about = "the last rank in the top k, beyond the number of items there if the ranks have gaps"
over = "user"
needs = ["lengths", "ranks"]
#}
{% set within = sql.length(sql.filtered("u.ranks", "e", "e <= u.k")) %}
coalesce({{ sql.nth("u.ranks", "nullif(" ~ within ~ ", 0)") }}, least(coalesce(u.returned, 0), u.k))
{# over two lists #}
l.returned
