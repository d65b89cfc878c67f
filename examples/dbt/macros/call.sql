{# A query over a macro of recsql.duckdb: its tables by position, then the values that are given, by name. #}
{% macro call(name, tables, values) -%}
    {%- set words = [] -%}
    {%- for table in tables %}{% do words.append(recsql.literal(table)) %}{% endfor -%}
    {%- for key, value in values.items() if key != "schema" and value is not none -%}
        {% do words.append(key ~ " := " ~ recsql.literal(value)) %}
    {%- endfor -%}
    select * from {{ values.schema or var("recsql_schema", "recsql") }}.{{ name }}({{ words | join(", ") }})
{%- endmacro %}

{# A value as SQL. A table becomes its name as text; a source that is a file renders as text already. #}
{% macro literal(value) -%}
    {%- if value is boolean or value is number -%}
        {{ value | lower }}
    {%- elif value is sequence and value is not string and value is not mapping -%}
        [{% for one in value %}{{ recsql.literal(one) }}{{ ", " if not loop.last }}{% endfor %}]
    {%- elif (value | string).startswith("'") -%}
        {{ value }}
    {%- else -%}
        '{{ (value | string).replace("'", "''") }}'
    {%- endif -%}
{%- endmacro %}
