{#
row = "one row per group of users that is left out; NULL if none is"
when = "item_groups"
#}
{# A segment has the groups of its own users. #}
{% if sliced %}
{% for part in ["p.part", "null"] %}
select distinct s.slice, {{ segment_joined() }}{{ " as segment" if by_activity }}, {{ part }}{{ " as part" if part == "null" }}
from lists as l
{% if fixed %}
inner join given_users as u on u.user_id = l.user_id
{% endif %}
{% if part != "null" %}
inner join user_groups as p on p.user_id = l.user_id
{% endif %}
{{ with_segments("l") }}
{{ "union all" if not loop.last }}
{% endfor %}
{% else %}
select distinct g.part
from user_groups as g
union all
select null as part
{% endif %}
