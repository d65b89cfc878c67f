{#
row = "one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each"
also = "item rating"
when = "grouping and not parts"
#}
{% set group = sql.group_of(sql.text("e.user_id"), groups) %}
with everyone as (
{% if item_groups %}
    select l.user_id from lists as l
{% endif %}
{% if item_groups and (user_groups or pair_groups) %}
    union
{% endif %}
{% if user_groups or pair_groups %}
    select u.user_id from population as u
{% endif %}
{% if rating_groups %}
    select p.user_id from given_predictions as p
{% endif %}
)

{% if partial %}
{# Only all parts together tell whether there are few users. A part with few has both: the group, and the id behind a colon. #}
select
    u.user_id,
    lpad({{ sql.text("u.part") }}, 4, '0') || case when n.users < {{ groups }} then ':' || {{ sql.text("u.user_id") }} else '' end as part
from (select distinct e.user_id, {{ group }} as part from everyone as e) as u
cross join (select count(distinct a.user_id) as users from everyone as a) as n
{% else %}
select distinct e.user_id, {{ group }} as part
from everyone as e
where (select count(distinct a.user_id) from everyone as a) >= {{ groups }}
union all
select u.user_id, row_number() over (order by {{ sql.text("u.user_id") }} asc) as part
from (select distinct f.user_id from everyone as f) as u
where (select count(distinct a.user_id) from everyone as a) < {{ groups }}
{% endif %}
