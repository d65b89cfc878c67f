{#
about = "relevant items in the first R ranks of the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]

[joins]
hits_to_r_anywhere = "inner join users as v on v.user_id = h.user_id"
#}
{% if expected %}
{{ sql.exact_sum("case when h.rank <= v.relevant then h.probability else 0e0 end") }}
{% else %}
count(case when h.rank <= v.relevant then 1 end)
{% endif %}
