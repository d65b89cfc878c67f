{#
about = "the statistics of a `kind` of rows `x`, with the alias `row`, for each list at each cut-off; `ranked` rows count from their rank on"
#}
{% set cut = "c" if ranked is defined else row %}
select
{% if modelled %}
    {{ row }}.model,
{% endif %}
    {{ row }}.user_id,
    {{ cut }}.k{% for one in statistics(kind) %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from {{ x }} as {{ row }}
{% if ranked is defined %}
inner join cutoffs as c on c.k >= {{ row }}.rank
{% endif %}
{% for join in joins(kind) %}
{{ join }}
{% endfor %}
group by {{ model(row) }}{{ row }}.user_id, {{ cut }}.k
