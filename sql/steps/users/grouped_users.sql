{#
row = "one row per user who is in one of the groups that are left out"
also = "item rating"
#}
{% if rating_groups %}
select distinct p.user_id from given_predictions as p
{% elif item_groups and (user_groups or pair_groups) %}
select l.user_id from lists as l
union
select u.user_id from population as u
{% elif item_groups %}
select distinct l.user_id from lists as l
{% else %}
select distinct u.user_id from population as u
{% endif %}
