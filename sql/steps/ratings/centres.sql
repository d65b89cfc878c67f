{#
row = "one row per model, and per user if mean = users: the means that the variances need"
grain = "rating"
#}
{# If all values are equal, the mean is that value, so the variance is exactly 0. #}
{% macro centre(x) %}case when min({{ x }}) < max({{ x }}) then {{ sql.any_sum(x) }} / count(*) else min({{ x }}) end{% endmacro %}
select
{% if modelled %}
    p.model,
{% endif %}
    {{ "p.user_id" if by_user else "null" }} as rater,
    true as predicted,
    {{ centre("p.rating") }} as rating,
    {{ centre("p.rating - p.prediction") }} as error
from pairs as p
where p.prediction is not null{% if modelled or by_user %}

group by {{ ("p.model" ~ (", p.user_id" if by_user else "")) if modelled else "p.user_id" }}{% endif %}
