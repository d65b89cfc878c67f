{# DataFusion's spellings, for the tests alone: an engine that is strict where DuckDB is kind. It has no functions over lists with variables, and no hash: every item has the one bit, and a sine stands for it in profiles. #}
{% macro inline() %}{% endmacro %}
{% macro error(x) %}cast({{ x }} as bigint){% endmacro %}
{% macro of_first(x, place) %}first_value({{ x }} order by {{ place }}){% endmacro %}
{% macro in_units(x) %}try_cast({{ sql.units(x) }} as decimal(38, 0)){% endmacro %}
{% macro exact_sum(x, times="") %}cast({{ sql.exact_units(x, times) }} as double) / 1e18{% endmacro %}
{% macro of_units(x) %}cast({{ x }} as double) / 1e18{% endmacro %}
{% macro exact_mean(x) %}{{ sql.exact_sum(x) }} / nullif(count({{ x }}), 0){% endmacro %}
{% macro near_sum(x) %}sum({{ x }}){% endmacro %}
{% macro bit(x, n) %}cast(1 as bigint){% endmacro %}
{% macro bit_of(n) %}cast(1 as bigint){% endmacro %}
{% macro band_of(n) %}cast(0 as bigint){% endmacro %}
{% macro bit_count(bits) %}1{% endmacro %}
{% macro has_bit(bits, x, n) %}{{ bits }} = 1{% endmacro %}
{% macro salted_hash(x) %}cast(1e15 * sin(129898e-4 * {{ x }}) as bigint){% endmacro %}
{% macro profile(x) %}sum(cast(1e15 * sin(129898e-4 * {{ x }}) as decimal(38, 0))){% endmacro %}
{% macro distinct(x) %}count(distinct {{ x }}){% endmacro %}
{% macro running_product(x, window) %}(case when min({{ x }}) over {{ window }} = 0 then 0e0 else exp(sum(ln(nullif({{ x }}, 0e0))) over {{ window }}) end){% endmacro %}
{% macro is_infinite(x) %}(abs({{ x }}) = cast('infinity' as double)){% endmacro %}
{% macro type_of(x) %}upper(arrow_typeof({{ x }})){% endmacro %}
{% macro is_written_differently(x) %}regexp_like(arrow_typeof({{ x }}), '^(Float|Binary)'){% endmacro %}
{% macro sorted_down(x, where="") %}array_agg({{ x }} order by {{ x }} desc){{ " filter (where " ~ where ~ ")" if where }}{% endmacro %}
{% macro first(list, n) %}array_slice({{ list }}, 1, {{ n }}){% endmacro %}
{% macro ordered_list(x, by) %}array_agg({{ x }} order by {{ by }}){% endmacro %}
{% macro nth(list, n) %}array_element({{ list }}, {{ n }}){% endmacro %}
{% macro total(list) %}array_sum({{ list }}){% endmacro %}
{% macro discounted(list, discount) %}discounted({{ list }}, {{ discount("r") | sql_literal }}){% endmacro %}
{% macro total_units(list) %}cast(array_sum({{ list }}) as double) / 1e18{% endmacro %}
