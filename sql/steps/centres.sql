{#
row = "one row per model, and per user where the mean is over users: the means that the variances are measured from"
grain = "rating"
#}
{% set by_user = condition(mean="users") %}
{% set rater = by_user.then("p.user_id") %}
{# Equal values have no variance, to the bit: their mean is the value itself. #}
{% macro centre(x) %}case when min({{ x }}) < max({{ x }}) then {{ sql.any_sum(x) }} / count(*) else min({{ x }}) end{% endmacro %}
select
    p.model,
    {{ rater }} as rater,
    {{ [centre("p.rating") ~ " as rating" if rendering.reads("c.rating"), centre("p.rating - p.prediction") ~ " as error" if rendering.reads("c.error")] | select | join(",\n    ") }}
from pairs as p
where p.prediction is not null
group by p.model{{ ", " ~ rater if by_user.possible }}
