{#
row = "one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each"
kept = true
also = "item rating"
#}
{% set group = sql.group_of(sql.text("g.user_id"), groups) %}
{% if partial %}
{# Whether users are few shows only when parts are merged, so a part with few users has both: the group, and the id behind a colon. #}
select
    u.user_id,
    lpad({{ sql.text("u.part") }}, 4, '0') || case when n.users < {{ groups }} then ':' || {{ sql.text("u.user_id") }} else '' end as part
from (select g.user_id, {{ group }} as part from grouped_users as g) as u
cross join (select count(*) as users from grouped_users as a) as n
{% else %}
select g.user_id, {{ group }} as part
from grouped_users as g
where (select count(*) from grouped_users as a) >= {{ groups }}
union all
select g.user_id, row_number() over (order by {{ sql.text("g.user_id") }} asc) as part
from grouped_users as g
where (select count(*) from grouped_users as a) < {{ groups }}
{% endif %}
