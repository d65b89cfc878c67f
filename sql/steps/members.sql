{#
row = "one row per model and user that the policies count"
#}
{% set served = condition(no_recs="skip") | either(condition(users="intersection")) %}
{% set fixed = is_table("users") %}
select c.model, c.user_id
from candidates as c
{% if served.possible %}
left join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
{% endif %}
{% if fixed.possible %}
left join given_users as g on g.user_id = c.user_id
{% endif %}
where
    c.user_id is not null
    {{ served.requires("l.user_id is not null") }}
    {{ fixed.requires("g.user_id is not null") }}
