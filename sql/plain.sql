{# What a query to read spells more plainly than an engine's dialect: sums can depend on the order of the rows, and what is refused is NULL. #}
{% macro inline() %}{% endmacro %}
{% macro error(x) %}null{% endmacro %}
{% macro in_units(x) %}{{ x }}{% endmacro %}
{% macro total_units(list) %}list_sum({{ list }}){% endmacro %}
{% macro exact_sum(x) %}sum({{ x }}){% endmacro %}
{% macro mean(x) %}avg({{ x }}){% endmacro %}
{% macro exact_units(x) %}sum({{ x }}){% endmacro %}
{% macro of_units(x) %}{{ x }}{% endmacro %}
{% macro any_sum(x) %}sum({{ x }}){% endmacro %}
{% macro square_sum(x) %}sum({{ x }} * {{ x }}){% endmacro %}
{% macro id_of(x, type, before) %}cast({{ x }} as {{ type }}){% endmacro %}
{% macro distinct(x) %}count(distinct {{ x }}){% endmacro %}
