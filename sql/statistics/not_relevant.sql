{#
about = "J: the number of items of the user that are judged not relevant"
over = "user"
needs = ["preferences"]

[joins]
preferences = "left join rejections as j on j.user_id = u.user_id"
#}
coalesce(j.items, 0)
{# over two lists #}
len(l.rejected)
