{#
row = "one row per model: the number of users with a list"
grain = "item"
#}
{% if sliced %}
select {{ keys("l") }}l.lists as users
from list_segments as l
{% else %}
select {{ model("c") }}cast(sum(c.lists) as bigint) as users
from list_counts as c{% if modelled %}

group by c.model{% endif %}
{% endif %}
