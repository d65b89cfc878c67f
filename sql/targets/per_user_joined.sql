{# The columns of several pipelines side by side. #}
{% macro key(name) %}coalesce({% for query in queries %}q{{ loop.index }}.{{ name }}{{ ", " if not loop.last }}{% endfor %}){% endmacro %}
select
    {{ key("model") }} as model,
    {{ key("user_id") }} as user_id,
    {{ key("k") }} as k{% for number, column in numbered %},
    q{{ number }}.{{ column.title }}
{%- endfor %}

from (
{{ queries[0] | indent(4, first=true) }}
) as q1
{% for query in queries[1:] %}
{% set q = "q" ~ (loop.index + 1) %}
full join (
{{ query | indent(4, first=true) }}
) as {{ q }} on {{ q }}.model is not distinct from q1.model and {{ q }}.user_id = q1.user_id and {{ q }}.k = q1.k
{% endfor %}
