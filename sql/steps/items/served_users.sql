{#
row = "one row per model: the number of users with a list"
when = "item_groups"
#}
{% if sliced %}
select {{ keys("l") }}l.lists as users
from list_segments as l
{% else %}
select {{ model("l") }}count(*) as users
from lists as l{% if modelled %}

group by l.model{% endif %}
{% endif %}
