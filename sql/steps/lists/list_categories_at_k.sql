{#
row = "one row per model, user and cut-off: the sums over the categories of the list"
grain = "list"
sums = { over = "list_categories", alias = "d", reader = "at_k" }
when = "of_users and needs.list_categories_at_k"
#}
select
{% if modelled %}
    g.model,
{% endif %}
    g.user_id,
    g.k{% for one in statistics("list_categories") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from category_counts as g
group by {{ model("g") }}g.user_id, g.k
