{#
row = "one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit"
#}
{# If the whole list is read, each user is a group. #}
{% set apart = whole_list() | either(unordered()) %}
{% set keys = rendering.expression("expressions/known.sql") ~ ", u.first_k" %}
select u.model, min(u.user_id) as user_id, {{ keys }}, count(*) as users
from first_hits as u
group by u.model, {{ keys }}{{ ", " ~ apart.then("u.user_id") if apart.possible }}
