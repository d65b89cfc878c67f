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
zero = "counts 0"
skip = "is left out of the mean"
#}
{% set columns %}
    u.relevant,
{% if rendering.reads("u.gains") %}
    u.gains,
{% endif %}
{% if rendering.reads("u.entries") %}
    u.entries,
{% endif %}
    u.best_gain
{% endset %}
{% set plain = condition(users="truth", no_recs="zero", no_truth="skip error", zero_ideal="null zero one") %}
{% if plain.possible %}
select
    m.model,
    u.user_id,
    {{ columns | trim }}
from models as m
cross join users as u
{{ plain.where }}
{% endif %}
{{ plain.union_all }}
{% if not plain.certain %}
{% set served = condition(no_recs="skip") %}
{% set shared = condition(users="intersection") %}
{% set fixed = condition(users="truth intersection union").negated %}
{% set ideal = condition(zero_ideal="skip") %}
select
    b.model,
    b.user_id,
    {{ columns | trim }}
from members as b
left join users as u on u.user_id = b.user_id
{% if served.possible or shared.possible %}
left join lists as l on l.model is not distinct from b.model and l.user_id = b.user_id
{% endif %}
{% if fixed.possible %}
left join given_users as g on g.user_id = b.user_id
{% endif %}
where {{ plain.negated.sql if plain.possible else "true" }}
{% for rule, kept in [(served, "l.user_id is not null"), (shared, "l.user_id is not null"), (fixed, "g.user_id is not null"), (ideal, "(u.best_gain > 0 or u.user_id is null)")] %}
{% if rule.possible %}
    and {{ kept if rule.certain else "(not (" ~ rule.sql ~ ") or " ~ kept ~ ")" }}
{% endif %}
{% endfor %}
{% endif %}
