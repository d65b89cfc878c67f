{#
row = "one row per model, and per user if mean = users: the means that the variances need"
grain = "rating"
#}
{% set by_user = condition(mean="users") %}
{% set rater = by_user.then("p.user_id") %}
{# If all values are equal, the mean is that value, so the variance is exactly 0. #}
{% macro centre(x) %}case when min({{ x }}) < max({{ x }}) then {{ sql.any_sum(x) }} / count(*) else min({{ x }}) end{% endmacro %}
{% set measured = {"rating": "p.rating", "error": "p.rating - p.prediction"} %}
select
    p.model,
    {{ rater }} as rater{% for name, x in measured.items() if rendering.reads("c." ~ name) %},
    {{ centre(x) }} as {{ name }}
{%- endfor %}

from pairs as p
where p.prediction is not null
group by p.model{{ ", " ~ rater if by_user.possible }}
