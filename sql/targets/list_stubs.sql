{# Stubs of the macros over two lists that others call, each with the numbers of its parameters. #}
-- stubs, replaced further down
{% for name, numbers in called.items() %}
create or replace macro recsql.{{ name }}{% for number in numbers %}({{ letters[:number] | join(", ") }}) as ({{ "{'fault': a}" if name in structs else "a" }}){{ ", " if not loop.last else ";" }}{% endfor %}

{% endfor %}
