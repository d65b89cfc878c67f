{#
row = "one row per model and user that the policies count"
#}
select {{ model("c") }}c.user_id
from candidates as c
{% if served_alone and not owners_count %}
inner join lists as l on {{ same_model("l", "c") }}l.user_id = c.user_id
{% endif %}
{% if fixed %}
inner join given_users as g on g.user_id = c.user_id
{% endif %}
where c.user_id is not null
