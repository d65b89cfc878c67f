{# The columns of several pipelines side by side. #}
{% macro key(name, n) %}{{ "coalesce(" if n > 1 }}{% for i in range(1, n + 1) %}q{{ i }}.{{ name }}{{ ", " if not loop.last }}{% endfor %}{{ ")" if n > 1 }}{% endmacro %}
select
    {{ key("model", queries | length) }} as model,
    {{ key("user_id", queries | length) }} as user_id,
    {{ key("k", queries | length) }} as k{% for number, column in numbered %},
    q{{ number }}.{{ column.title }}
{%- endfor %}

from (
{{ queries[0] | indent(4, first=true) }}
) as q1
{% for query in queries[1:] %}
{% set q = "q" ~ (loop.index + 1) %}
full join (
{{ query | indent(4, first=true) }}
) as {{ q }} on {{ q }}.model is not distinct from {{ key("model", loop.index) }} and {{ q }}.user_id = {{ key("user_id", loop.index) }} and {{ q }}.k = {{ key("k", loop.index) }}
{% endfor %}
