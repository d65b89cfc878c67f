{#
row = "one row per user who is in one of the groups that are left out"
also = "item rating"
when = "grouping and not parts"
#}
{% set distinct = "" if item_groups and (user_groups or pair_groups) else " distinct" %}
{% if item_groups %}
select{{ distinct }} l.user_id from lists as l
{% endif %}
{% if item_groups and (user_groups or pair_groups) %}
union
{% endif %}
{% if user_groups or pair_groups %}
select{{ distinct }} u.user_id from population as u
{% endif %}
{% if rating_groups %}
select{{ distinct }} p.user_id from given_predictions as p
{% endif %}
