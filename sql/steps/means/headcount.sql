{#
row = "one row per model with users in the mean: the number of these users"
#}
{% if parts %}
select {{ keys("t") }}cast(sum(t.headcount) as bigint) as users, cast(sum(t.served) as bigint) as lists
from tallies as t
group by {{ keys("t") | trim(", ") }}
{% elif sliced %}
select {{ model("u") }}s.slice, {{ segment_joined() }}{{ " as segment" if by_activity }}, count(*) as users
from population as u
{{ with_segments("u") }}
group by {{ model("u") }}s.slice, {{ segment_joined() }}
{% elif modelled %}
select u.model, count(*) as users
from population as u
group by u.model
{% else %}
select count(*) as users
from population as u
{% endif %}
