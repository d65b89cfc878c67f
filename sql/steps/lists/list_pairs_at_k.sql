{#
row = "one row per model, user and cut-off: the sums over the pairs of items in the list"
grain = "list"
sums = { over = "list_pairs", alias = "j", reader = "at_k" }
when = "of_users and needs.list_pairs_at_k"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    c.k{% for one in statistics("list_pairs") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from list_pairs as p
inner join cutoffs as c on c.k >= p.rank
group by {{ model("p") }}p.user_id, c.k
