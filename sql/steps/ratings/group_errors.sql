{#
row = "one row per model and group of users: the sums of the errors, and of the deviations from the means of all"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    g.part,
{% for one in statistics("pairs") %}
{% if one not in ["pairs", "rating_variance", "error_variance", "median_absolute_error"] %}
    {{ "sum(p.lost) / 2e0" if one == "wins" else text_of(one) }} as {{ one }},
{% endif %}
{% endfor %}
{% if needs.means %}
    {{ sql.any_sum("p.rating - c.rating") }} as rating_deviation,
    {{ sql.any_sum("power(p.rating - c.rating, 2)") }} as rating_squares,
    {{ sql.any_sum("p.rating - p.prediction - c.error") }} as error_deviation,
    {{ sql.any_sum("power(p.rating - p.prediction - c.error, 2)") }} as error_squares,
{% endif %}
    count(*) as used
from {{ measured_pairs }} as p
inner join user_groups as g on g.user_id = p.user_id{% if needs.means %}

inner join centres as c on {{ on_model("c", "p") }}{% endif %}

where p.prediction is not null
group by {{ model("p") }}g.part
