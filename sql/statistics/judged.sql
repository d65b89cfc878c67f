{#
about = "number of items in the top k that have a row in the truth, of any relevance"
over = "user"
needs = ["judgements"]

[joins]
judgements = 'left join judgements as o on {{ same_model("o", "u") }}o.user_id = u.user_id and o.k = u.k'
#}
coalesce(o.items, 0)
{# over two lists #}
l.judged
