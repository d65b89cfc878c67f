{#
row = "one row per model and user in the mean, with the number of relevant items"
inline = true

[known]
profile = "u.profile"
entries = "e.entries"
returned = "l.returned"
ranks = "g.ranks"

[options.no_recs]
about = "what happens to a user with relevant items but without a list; skip leaves out every user without a list, whatever no_truth is"
topic = "population"
default = "zero"

[options.no_recs.values]
zero = "counted as 0"
skip = "left out"
#}
{% set plain = condition(users="truth", no_recs="zero", no_truth="skip error") %}
{% set carried = rendering.known.values() %}
{% set in_order = condition(truth_window="k") | either(condition(ideal="truth_as_given")) %}
{% macro joined(model, user) %}
{% if "e.entries" in carried %}
left join entries as e on {{ in_order.on if in_order.possible }}e.user_id = {{ user }}
{% endif %}
{% if "l.returned" in carried %}
left join lists as l on {{ rendering.list_length.on if inputs.averaged }}l.model is not distinct from {{ model }} and l.user_id = {{ user }}
{% endif %}
{% if "g.ranks" in carried %}
left join gaps as g on {{ rendering.list_length.on }}g.model is not distinct from {{ model }} and g.user_id = {{ user }}
{% endif %}
{% endmacro %}
{% if plain.possible %}
select
    m.model,
    u.user_id,
{% for column in carried %}
    {{ column }},
{% endfor %}
    u.relevant
from models as m
cross join users as u
{{ joined("m.model", "u.user_id") }}
{{ plain.where }}
{% endif %}
{{ plain.union_all }}
{% if not plain.certain %}
select
    b.model,
    b.user_id,
{% for column in carried %}
    {{ column }},
{% endfor %}
    u.relevant
from members as b
left join users as u on u.user_id = b.user_id
{{ joined("b.model", "b.user_id") }}
{{ plain.negated.where }}
{% endif %}
