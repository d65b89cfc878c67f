{#
row = "one row per model, metric and cut-off: the number of users, and the sum of their values"
#}
{% macro of_metric(text) %}
case a.place
{% for column in user_columns %}
            when {{ column.place }} then {{ text.format(name=column.name, ks=column.ks | join(", "), order=column.order) }}
{% endfor %}
        end
{%- endmacro %}
select
    {{ key_columns("p") }}p.metric,
    p.k,
    p.all_users as headcount,
    p.served,
    p.all_users - coalesce(p.missing, 0) as users,
    coalesce(p.total, 0) as sum,
    p.squares,
    p.all_users - coalesce(p.missing, 0) - coalesce(p.others, 0) as zeros,
{% if clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.place,
    p.definition
from (
    select
        {{ key_columns("n") | indent }}a.metric,
        c.k,
        n.users as all_users,
        n.lists as served,
        {{ of_metric("t.{name}_missing") }} as missing,
        {{ of_metric("t.{name}") }} as total,
        coalesce({{ of_metric("t.{name}_squares") }}, case when t.k is null then 0 end) as squares,
        {{ of_metric("t.{name}_others") }} as others,
{% if clustered %}
        {{ of_metric("e.{name}_squares") }} as cluster_squares,
        {{ of_metric("e.{name}_products") }} as cluster_products,
        {{ of_metric("e.{name}_sizes") }} as cluster_sizes,
        {{ of_metric("e.{name}_clusters") }} as clusters,
{% endif %}
        {{ of_metric("{order}") }} as place,
        a.definition
    from census as n
    cross join cutoffs as c
    cross join asked as a
    left join totals as t on {{ same_keys("t", "n") }}t.k = c.k
{% if clustered %}
    left join cluster_moments as e on {{ same_keys("e", "n") }}e.k = c.k
{% endif %}
    where
        {{ of_metric("c.k in ({ks})") }}
) as p
