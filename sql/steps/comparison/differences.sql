{#
row = "one row per pair of models, cut-off and user: the values of both models where both have one, and whether only one has"
grain = "pair"
kept = true
#}
{% macro values_of(name) %}
{% if in_rows %}
select p.pair, u.user_id, u.place, u.k, u.value
from model_pairs as p
inner join metric_values as u on u.model is not distinct from p.{{ name }}
{% else %}
select
    p.pair,
    u.user_id,
{% if target == "differences" %}
    u.list_length,
    u.relevant,
{% endif %}
    u.k{% for column in user_columns %},
    u.{{ column.name }}{% endfor %}

from model_pairs as p
inner join per_user as u on u.model is not distinct from p.{{ name }}
{% endif %}
{% endmacro %}
select
    coalesce(a.pair, b.pair) as pair,
    coalesce(a.user_id, b.user_id) as user_id,
{% if target == "differences" %}
    a.list_length,
    b.list_length as baseline_list_length,
    coalesce(a.relevant, b.relevant) as relevant,
{% endif %}
{% if in_rows %}
    coalesce(a.place, b.place) as place,
    coalesce(a.k, b.k) as k,
    case when b.value is not null then a.value end as value,
    case when a.value is not null then b.value end as base,
    (a.value is null) <> (b.value is null) as unpaired
{% else %}
    coalesce(a.k, b.k) as k{% for column in user_columns %},
    case when b.{{ column.name }} is not null then a.{{ column.name }} end as {{ column.name }},
    case when a.{{ column.name }} is not null then b.{{ column.name }} end as {{ column.name }}_base,
    (a.{{ column.name }} is null) <> (b.{{ column.name }} is null) as {{ column.name }}_unpaired{% endfor %}

{% endif %}
from (
    {{ values_of("model") | trim | indent }}
) as a
full outer join (
    {{ values_of("baseline") | trim | indent }}
) as b on b.pair = a.pair and b.user_id = a.user_id {{ "and b.place = a.place " if in_rows }}and b.k = a.k
