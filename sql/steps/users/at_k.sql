{#
row = "one row per model, cut-off and user or group of alike users: the statistics that the metrics read"
plain_row = "one row per model, cut-off and user: the statistics that the metrics read"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
{% if grouped %}
    u.users,
{% endif %}
    u.k{% for step in sums("at_k") %}{% for one in statistics(step.over) if is_read("at_k", one) %},
    {{ column_of(one) | indent }}{% endfor %}{% endfor %}{% for one in statistics("user") if is_read("at_k", one) %},
    {{ column_of(one) | indent }}{% endfor %}{% if user_needs("catalog_size") %},
    {{ double("(select count(distinct i.item_id) from given_items as i)" if catalog_size is none else catalog_size) }} as catalog_size{% endif %}

from users_at_k as u{% for step in sums("at_k") %}{% if step.name != "hits_at_k" %}

left join {{ step.name }} as {{ step.alias }} on {{ same_model(step.alias, "u") }}{{ step.alias }}.user_id = u.user_id and {{ step.alias }}.k = u.k{% endif %}{% endfor %}{% for join in joins("user") %}

{{ join }}{% endfor %}
