{#
row = "one row per model and users who are alike: with as much relevant, the same gains, as long a list, and the same first cut-off with a hit"
#}
{# What is known of a whole list is known of its user alone. #}
{% set apart = whole_list() | either(unordered()) %}
{% set keys = rendering.expression("expressions/known.sql") ~ ", u.first_k" %}
select u.model, min(u.user_id) as user_id, {{ keys }}, count(*) as users
from first_hits as u
group by u.model, {{ keys }}{{ ", " ~ apart.then("u.user_id") if apart.possible }}
