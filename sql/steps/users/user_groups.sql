{#
row = "one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each"
kept = true
also = "item rating"
#}
{% set group = sql.group_of(sql.text("g.user_id"), groups) %}
select g.user_id, {{ group }} as part
from grouped_users as g
where (select count(*) from grouped_users as a) >= {{ groups }}
union all
select g.user_id, row_number() over (order by {{ sql.text("g.user_id") }} asc) as part
from grouped_users as g
where (select count(*) from grouped_users as a) < {{ groups }}
