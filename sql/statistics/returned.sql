{#
about = "items of the list down to k"
over = "user"

[joins]
l = "left join returned_at_k as l on l.model is not distinct from u.model and l.user_id = u.user_id and l.k = c.k"
#}
coalesce(l.returned, 0)
