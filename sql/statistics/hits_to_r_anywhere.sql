{#
about = "relevant items in the first R ranks of the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]

[joins]
hits_to_r_anywhere = "inner join users as v on v.user_id = h.user_id"
#}
{{ summed("1", where="h.rank <= v.relevant") }}
{# over two lists #}
len(list_filter(l.hits, lambda r: r <= l.relevant))
