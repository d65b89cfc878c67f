{#
row = "one row per group of users with lists that is left out; NULL if none is"
grain = "item"
when = "item_groups and valued"
#}
{# A segment has the groups of its own users. #}
{% set segment = "c.slice, c.segment, " if sliced else "" %}
select distinct {{ segment }}c.part
from list_counts as c
union all
{% if sliced %}
select distinct {{ segment }}null as part
from list_counts as c
{% else %}
select null as part
{% endif %}
