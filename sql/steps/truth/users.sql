{#
kept = true
row = "one row per user with relevant items, with their number"
#}
{% if is_read("users", "relevant") %}
select t.user_id, count(*) as relevant
from relevant as t
group by t.user_id
{% else %}
select distinct t.user_id
from relevant as t
{% endif %}
