{#
row = "one row per model and user whom the policies count"
#}
{% set served = condition(no_recs="skip") | either(condition(users="intersection")) %}
{% set fixed = is_table("users") %}
{% set with_ideal = condition(zero_ideal="skip") %}
select c.model, c.user_id
from candidates as c
{% if served.possible %}
left join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
{% endif %}
{% if fixed.possible %}
left join given_users as g on g.user_id = c.user_id
{% endif %}
{% if with_ideal.possible %}
left join users as u on u.user_id = c.user_id
{{ rendering.joins(["i.best_gain"]) | join }}
{% endif %}
where
    c.user_id is not null
    {{ served.requires("l.user_id is not null") }}
    {{ fixed.requires("g.user_id is not null") }}
    {{ with_ideal.requires("(i.best_gain > 0 or u.user_id is null)") }}
