{#
row = "one row per model, user and cut-off: the sums over the items of the list"
grain = "list"
sums = { over = "list_items", alias = "b", reader = "at_k" }
when = "of_users and needs.lists_at_k"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k{% for one in statistics("list_items") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from listed as r
inner join cutoffs as c on c.k >= r.rank
{% for join in joins("list_items") %}
{{ join }}
{% endfor %}
group by {{ model("r") }}r.user_id, c.k
