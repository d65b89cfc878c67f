{#
row = "one row per model and user of the mean, with what is relevant to him"

[options.users]
about = "who is in the mean: a policy, or a table of the user ids to look at"
default = "truth"
type = "users"

[options.users.values]
truth = "the users with something relevant, as no_recs and no_truth say"
intersection = "of these, the users with a list"
union = "the users with something relevant or with a list"

[options.no_recs]
about = "a user with something relevant and no list"
default = "zero"

[options.no_recs.values]
zero = "counted as 0"
skip = "left out"

[options.zero_ideal]
about = "the value of ndcg where the ideal list has no gain"
default = "null"

[options.zero_ideal.values]
null = "NULL: left out of the mean, and the count of users says so"
skip = "the user leaves the mean of every metric"
zero = "0"
one = "1"
#}
{% set columns = [] %}
{% for column in ["relevant", "gains", "entries"] if rendering.reads("u." ~ column) %}
{{- columns.append("u." ~ column) or "" -}}
{% endfor %}
{% for column, step in [("returned", "l"), ("ranks", "g")] if rendering.reads("u." ~ column) %}
{{- columns.append(step ~ "." ~ column) or "" -}}
{% endfor %}
{% set plain = condition(users="truth", no_recs="zero", no_truth="skip error", zero_ideal="null zero one") %}
{% set listed = "left join lists as l on l.model is not distinct from {0}.model and l.user_id = {0}.user_id" %}
{% set gapped = "left join gaps as g on g.model is not distinct from {0}.model and g.user_id = {0}.user_id" %}
{% if plain.possible %}
select {{ ["m.model", "u.user_id"] | list | join(", ") }}{{ ", " if columns }}{{ columns | join(", ") }}
from models as m
cross join users as u
{{ listed.replace("{0}.model", "m.model").replace("{0}", "u") if "l.returned" in columns }}
{{ gapped.replace("{0}.model", "m.model").replace("{0}", "u") if "g.ranks" in columns }}
{{ plain.where }}
{% endif %}
{{ plain.union_all }}
{% if not plain.certain %}
{% set served = condition(no_recs="skip") | either(condition(users="intersection")) %}
{% set fixed = condition(users="truth intersection union").negated %}
{% set ideal = condition(zero_ideal="skip") %}
select b.model, b.user_id{{ ", " if columns }}{{ columns | join(", ") }}
from members as b
left join users as u on u.user_id = b.user_id
{{ listed.replace("{0}", "b") if "l.returned" in columns or served.possible }}
{{ gapped.replace("{0}", "b") if "g.ranks" in columns }}
{{ "left join given_users as o on o.user_id = b.user_id" if fixed.possible }}
where
    {{ plain.negated.sql if plain.possible else "true" }}
{% for rule, kept in [(served, "l.user_id is not null"), (fixed, "o.user_id is not null"), (ideal, "(u.best_gain > 0 or u.user_id is null)")] if rule.possible %}
    and {{ kept if rule.certain else "(not (" ~ rule.sql ~ ") or " ~ kept ~ ")" }}
{% endfor %}
{% endif %}
