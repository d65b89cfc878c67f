{# One macro: its name, what it gives, and for each way to call it the parameters and the body. #}
-- {{ about }}
create or replace macro recsql.{{ name }}
{%- for parameters, body in ways %}
({% if parameters %}

    {{ parameters }}
{% endif %}) as{{ " table" if table }}{{ " (" if ways | length > 1 }}
{{ body }}{{ "\n), " if not loop.last else "\n);" if ways | length > 1 else ";" }}
{%- endfor %}


comment on macro {{ "table " if table }}recsql.{{ name }} is {{ comment }};
