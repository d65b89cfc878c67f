{#
row = "one row per model with users in the mean: the number of these users"
#}
{% if "parts" in inputs.tables %}
select t.model, cast(sum(t.headcount) as bigint) as users
from tallies as t
group by t.model
{% else %}
select u.model, count(*) as users
from population as u
group by u.model
{% endif %}
