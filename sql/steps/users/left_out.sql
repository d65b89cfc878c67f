{#
row = "one row per group of users with lists that is left out; NULL if none is"
when = "item_groups"
#}
{# A segment has the groups of its own users. #}
{% set segment = "s.slice, " ~ segment_joined() ~ (" as segment, " if by_activity else ", ") if sliced else "" %}
select distinct {{ segment }}p.part
from lists as l
{% if fixed %}
inner join given_users as u on u.user_id = l.user_id
{% endif %}
inner join user_groups as p on p.user_id = l.user_id
{% if sliced %}
{{ with_segments("l") }}
{% endif %}
union all
{% if sliced %}
select distinct {{ segment }}null as part
from lists as l
{% if fixed %}
inner join given_users as u on u.user_id = l.user_id
{% endif %}
{{ with_segments("l") }}
{% else %}
select null as part
{% endif %}
