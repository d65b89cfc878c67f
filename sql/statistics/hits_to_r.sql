{#
about = "relevant items in the first R ranks of the top k"
over = "hits"
empty = "0"

[joins]
hits_to_r = "inner join users as v on v.user_id = h.user_id"
#}
{{ summed("1", where="h.rank <= v.relevant") }}
{# over two lists #}
len(list_filter({{ hits }}, lambda r: r <= l.relevant))
