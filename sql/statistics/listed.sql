{#
about = "1 where the user has a list, else 0"
over = "user"

[joins]
o = "left join lists as o on o.model is not distinct from u.model and o.user_id = u.user_id"
#}
case when o.user_id is null then 0 else 1 end
