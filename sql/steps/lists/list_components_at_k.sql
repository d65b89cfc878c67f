{#
row = "one row per model, user and cut-off: the sums over the components of the list"
grain = "list"
sums = { over = "list_components", alias = "z", reader = "at_k" }
when = "of_users and needs.list_components_at_k"
#}
select
{% if modelled %}
    c.model,
{% endif %}
    c.user_id,
    c.k{% for one in statistics("list_components") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from list_components as c
group by {{ model("c") }}c.user_id, c.k
