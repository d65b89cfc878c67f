{#
about = "number of items in the top k that have a row in the truth, of any relevance"
over = "user"
needs = ["judgements"]

[joins]
judgements = 'left join judgements as i on {{ same_model("i", "u") }}i.user_id = u.user_id and i.k = u.k'
#}
coalesce(i.items, 0)
{# over two lists #}
l.judged
