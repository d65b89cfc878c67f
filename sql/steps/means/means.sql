{#
row = "one row per model and cut-off: the number of lists, the mean of each metric, and the number of users with a value"
#}
{# A policy can leave a model or a segment without users in the mean. #}
{% set all = "p" if plain_population else "n" %}
{% set from = "per_segment" if sliced else "per_user" %}
select
    {{ key_columns(all) }}{{ all }}.k,
    count(l.user_id) as lists{% for column in user_columns | selectattr("shown") %},
    {{ column.mean(sql.mean("p.{name}"), "count(p.user_id)") | indent }} as {{ column.name }},
    count(p.{{ column.name }}) as {{ column.name }}_users{% endfor %}

{% if plain_population %}
from {{ from }} as p
{% else %}
from (
    select {{ model("m") }}{{ "s.slice, s.segment, " if sliced }}c.k
{% if modelled %}
    from models as m
    cross join cutoffs as c
{% else %}
    from cutoffs as c
{% endif %}
{% if sliced %}
    cross join segments_in_mean as s
{% endif %}
) as n
left join {{ from }} as p on {{ same_keys("p", "n") }}p.k = n.k
{% endif %}
left join lists as l on {{ same_model("l", "p") }}l.user_id = p.user_id
group by {{ keys(all) }}{{ all }}.k
