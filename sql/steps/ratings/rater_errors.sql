{#
row = "one row per model and user: the sums of the errors, and the number of pairs"
grain = "rating"
when = "'clusters' in rating_methods"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
{% for one in statistics.pairs %}
{% if one.name in rating_columns | map(attribute="sum_of") | list %}
    {{ one.text }} as {{ one.name }},
{% endif %}
{% endfor %}
    count(*) as used
from pairs as p
where p.prediction is not null
group by {{ model("p") }}p.user_id
