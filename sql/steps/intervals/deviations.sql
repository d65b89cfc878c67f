{#
row = "one row per model and mean of ratings: the sum of the users' squared deviations from it, the number of users, and their total weight"
grain = "rating"
#}
{# The weight of a user is the number of pairs, or 1 if the values of users are averaged. #}
select
    {{ model("d") }}d.place,
    {{ sql.any_sum("d.deviation * d.deviation") }} as squares,
    count(d.deviation) as raters,
    {{ "count(d.deviation)" if by_user else "max(d.used)" }} as weight
from (
    select
{% if modelled %}
        s.model,
{% endif %}
        a.place,
{% if not by_user %}
        e.used,
{% endif %}
        case a.place
{% for column in rating_columns %}{% if column.method == "t" %}
            when {{ column.place }} then s.{{ column.name }} - m.{{ column.name }}
{% elif column.method == "clusters" %}
            when {{ column.place }} then s.{{ column.sum_of }} - e.{{ column.sum_of }} / nullif(e.used, 0) * s.used
{% endif %}{% endfor %}
        end as deviation
{% if by_user %}
    from rating_metrics as s
    inner join rating_means as m on {{ on_model("m", "s") }}
{% else %}
    from rater_errors as s
    inner join rating_errors as e on {{ on_model("e", "s") }}
{% endif %}
    cross join asked as a
) as d
group by {{ model("d") }}d.place
