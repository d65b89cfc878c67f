{# The words of the dialect that the macro file has as macros. #}
{% macro spoken(x, is_id=false) %}recsql.{{ "said" if is_id else "text" }}({{ x }}){% endmacro %}
{% macro nearest(x, names) %}recsql.nearest({{ x }}, {{ names }}){% endmacro %}
{% macro exact_sum(x, times="") %}recsql.exact_sum({{ times ~ ", " if times }}{{ x }}){% endmacro %}
{% macro exact_units(x, times="") %}recsql.exact_units({{ times ~ " * " if times }}{{ x }}){% endmacro %}
{% macro any_sum(x) %}recsql.any_sum({{ x }}){% endmacro %}
{% macro square_sum(x, times="") %}recsql.square_sum({{ times if times else "1" }}, {{ x }}){% endmacro %}
{% macro is_written_differently(x) %}recsql.is_written_differently({{ x }}){% endmacro %}
