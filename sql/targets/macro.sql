{# One macro: its name, its parameters, what it gives. #}
-- {{ about }}
create or replace macro recsql.{{ name }}(
    {{ parameters }}
) as{{ " table" if table }}
{{ body }};

comment on macro {{ "table " if table }}recsql.{{ name }} is {{ comment }};
