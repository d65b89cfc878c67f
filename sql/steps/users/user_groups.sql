{#
row = "one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each"
also = "item rating"
when = "grouping"
#}
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

select distinct e.user_id, {{ sql.group_of(sql.text("e.user_id"), groups) }} as part
from everyone as e
where (select count(distinct a.user_id) from everyone as a) >= {{ groups }}
union all
select u.user_id, row_number() over (order by u.user_id asc) as part
from (select distinct f.user_id from everyone as f) as u
where (select count(distinct a.user_id) from everyone as a) < {{ groups }}
