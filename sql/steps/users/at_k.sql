{#
row = "one row per model, cut-off and user or group of alike users: the statistics that the metrics read"
plain_row = "one row per model, cut-off and user: the statistics that the metrics read"
when = "of_users"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
{% if grouped %}
    u.users,
{% endif %}
    u.k{% for kind in ["hits", "list", "splits", "user"] %}{% for one in statistics(kind) %},
    {{ column_of(one) | indent }}{% endfor %}{% endfor %}
{% if user_needs("catalog_size") %},
    {{ double("(select count(distinct i.item_id) from given_items as i)" if catalog_size is none else catalog_size) }} as catalog_size{% endif %}


from users_at_k as u{% if needs.hits_of_list %}

left join hits_of_list as w on {{ same_model("w", "u") }}w.user_id = u.user_id and w.k = u.k{% endif %}{% if needs.splits_at_k %}

left join splits_at_k as x on {{ same_model("x", "u") }}x.user_id = u.user_id and x.k = u.k{% endif %}{% for join in joins("user") %}

{{ join }}{% endfor %}
