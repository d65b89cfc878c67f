{#
row = "one row per model and user that a policy may count"
#}
{% if served_alone and owners_count %}
{# Whoever has a list counts. #}
select {{ model("l") }}l.user_id
from lists as l{{ guard("id_types", before="where", left="recs", right="users", columns=["user_id"]) if fixed }}
{% else %}
select {{ model("m") }}u.user_id
from models as m
cross join users as u{{ guard("id_types", before="where", left="recs", right="users", columns=["user_id"]) if fixed }}{% if truthless and no_truth not in ["skip", "error"] %}

union
select {{ model("m") }}t.user_id
from models as m
cross join given_truth as t{% endif %}{% if owners_count %}

union
select {{ model("l") }}l.user_id
from lists as l{% endif %}{% if fixed and no_truth in ["zero", "one", "one_if_both_empty"] %}

union
select {{ model("m") }}g.user_id
from models as m
cross join given_users as g{% endif %}
{% endif %}
