{# One macro: its description, an example, its parameters and its body; people see the description of a public one in the shell. #}
{% if about %}
-- {{ about }}
{% endif %}
{% if example %}
-- {{ example }}
{% endif %}
{% set listed = parameters | join(", ") %}
create or replace macro recsql.{{ name }}({{ listed if listed | length < 100 else "\n    " ~ parameters | join(",\n    ") ~ "\n" }}) as{{ " table" if table }}
{{ body }};
{% if public %}

comment on macro {{ "table " if table }}recsql.{{ name }} is {{ about | sql_literal }};
{% endif %}
