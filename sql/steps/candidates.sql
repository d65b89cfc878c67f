{#
row = "one row per model and user that a policy may count"
#}
{% set judged = condition(no_truth="zero zero_below_threshold one one_if_both_empty") %}
{% set listed = condition(no_truth="zero one one_if_both_empty") %}
{% set joined = condition(users="union") %}
{% set fixed = is_table("users") %}
select m.model, u.user_id
from models as m
cross join users as u
{{ rendering.guard("id_types", before="where", left="recs", right="users", columns=["user_id"]) }}
{% if judged.possible %}
union
select m.model, t.user_id
from models as m
cross join given_truth as t
{{ judged.where }}
{% endif %}
{% set owners = listed | either(joined) %}
{% if owners.possible %}
union
select l.model, l.user_id
from lists as l
{{ owners.where }}
{% endif %}
{% set looked_at = listed | both(fixed) %}
{% if looked_at.possible %}
union
select m.model, g.user_id
from models as m
cross join given_users as g
{{ looked_at.where }}
{% endif %}
