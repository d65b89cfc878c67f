{#
about = "relevant items in the first R ranks of the top k"
over = "hits"
empty = "0"

[joins]
hits_to_r = "inner join users as v on v.user_id = h.user_id"
#}
{% if expected %}
{{ sql.exact_sum("case when h.rank <= v.relevant then h.probability else 0e0 end") }}
{% else %}
count(case when h.rank <= v.relevant then 1 end)
{% endif %}
