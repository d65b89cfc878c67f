{# What one macro reads of a call, and which texts its query has. #}
-- the program of {{ name }}
create or replace macro recsql.{{ name }}_program() as
$$
{% for section, lines in sections.items() %}

== {{ section }} ==
{{ lines | join("\n") }}
{%- endfor %}$$;
