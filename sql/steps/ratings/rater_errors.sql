{#
row = "one row per model and user: the sums of the errors, and the number of pairs"
grain = "rating"
when = "has_interval_by('rating', 'clusters')"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
{% for one in statistics.pairs %}
{% if sums_error(one.name) %}
    {{ one.text }} as {{ one.name }},
{% endif %}
{% endfor %}
    count(*) as used
from pairs as p
where p.prediction is not null
group by {{ model("p") }}p.user_id
