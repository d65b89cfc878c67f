{# Who won and who lost: a row per pair of models, user, metric and cut-off. #}
{% macro of_metric(text) %}
case a.place
{% for column in user_columns %}{% if column.shown %}
        when {{ column.place }} then {{ text.format(name=column.name, ks=column.ks_text) }}
{% endif %}{% endfor %}
    end
{%- endmacro %}
select
    p.model,
    p.baseline,
    s.user_id,
    a.metric,
    {{ as_k("s.k") }},
    {{ of_metric("s.{name}") }} as value,
    {{ of_metric("s.{name}_base") }} as baseline_value,
    {{ of_metric("s.{name} - s.{name}_base") }} as difference,
    s.list_length,
    s.baseline_list_length,
    s.relevant
from differences as s
inner join model_pairs as p on p.pair = s.pair
cross join asked as a
where
    {{ measurable() }}{% if ks_differ %}

    and {{ of_metric("s.k in ({ks})") }}{% endif %}{% if not keyed %}

order by p.pair asc, s.user_id asc, a.place asc, s.k asc{% endif %}

