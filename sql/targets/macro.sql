{# One macro: its name, its description, and the parameters and the body of each way to call it. #}
-- {{ about }}
create or replace macro recsql.{{ name }}
{%- for parameters, body in ways %}
({% if parameters %}

    {{ parameters }}
{% endif %}) as{{ " table" if table }}{{ " (" if ways | length > 1 }}
{{ body }}{{ "\n), " if not loop.last else "\n);" if ways | length > 1 else ";" }}
{%- endfor %}


comment on macro {{ "table " if table }}recsql.{{ name }} is {{ comment }};
