{#
row = "one row per model with lists that count: the number of lists, how many of them have truth, and the length of the longest"
when = "reported"
#}
select {{ model("l") }}count(*) as lists, count(u.user_id) as with_truth, max(l.returned) as longest
from lists as l
{% if fixed %}
inner join given_users as g on g.user_id = l.user_id
{% endif %}
left join users as u on u.user_id = l.user_id{% if modelled %}

group by l.model{% endif %}
