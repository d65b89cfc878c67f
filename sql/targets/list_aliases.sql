{# The other names of a metric over two lists. #}
-- other names of {{ name }}
{% for alias in aliases %}
create or replace macro recsql.{{ alias }}
{%- for parameters, passed in ways %}
{% if "\n" in parameters %}
(
    {{ parameters }}
) as (recsql.{{ name }}(
    {{ passed }}
))
{%- else %}
({{ parameters }}) as (recsql.{{ name }}({{ passed }}))
{%- endif %}
{{ ",
" if not loop.last else ";" }}
{%- endfor %}

comment on macro recsql.{{ alias }} is 'another name of {{ name }}';
{% endfor %}
