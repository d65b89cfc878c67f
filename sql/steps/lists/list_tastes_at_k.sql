{#
row = "one row per model, user and cut-off: the sums over the categories of the user's train"
grain = "list"
sums = { over = "list_tastes", alias = "v", reader = "at_k" }
when = "of_users and needs.list_tastes_at_k"
#}
select
{% if modelled %}
    t.model,
{% endif %}
    t.user_id,
    t.k{% for one in statistics("list_tastes") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from list_tastes as t
group by {{ model("t") }}t.user_id, t.k
