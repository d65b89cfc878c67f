{#
row = "one row per model and user: the sums of the errors, and the number of pairs"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
{% for one in statistics("pairs") %}
{% if rating_columns | selectattr("sum_of", "eq", one) | list %}
    {{ text_of(one) }} as {{ one }},
{% endif %}
{% endfor %}
    count(*) as used
from {{ measured_pairs }} as p
where p.prediction is not null
group by {{ model("p") }}p.user_id
