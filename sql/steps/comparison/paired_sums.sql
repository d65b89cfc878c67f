{#
row = "one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18"
grain = "pair"
#}
{# Values beyond 1e7 have no squares, because these would be too large for such units. #}
{% macro products(column, x, y) %}
{% if column.method == "wilson" %}{{ sql.exact_units(x ~ " * " ~ y) }}{% else %}case when max(greatest(abs(d.{{ column.name }}), abs(d.{{ column.name }}_base))) < 1e7 then {{ sql.exact_units("case when abs(" ~ x ~ ") < 1e7 and abs(" ~ y ~ ") < 1e7 then " ~ x ~ " * " ~ y ~ " end") }} end{% endif %}
{% endmacro %}
{% if in_rows %}
select
    d.pair,
    d.place,
    d.k,
    count(d.value) as users,
    count(case when d.unpaired then 1 end) as unpaired,
    count(case when d.value - d.base > 5e-13 then 1 end) as wins,
    count(case when d.base - d.value > 5e-13 then 1 end) as losses,
    {{ sql.exact_units("d.value") }} as sum,
    {{ sql.exact_units("d.base") }} as base_sum,
    recsql.product_sum(d.value, d.value, d.value, d.base) as squares,
    recsql.product_sum(d.base, d.base, d.value, d.base) as base_squares,
    recsql.product_sum(d.value, d.base, d.value, d.base) as products
from differences as d
group by d.pair, d.place, d.k
{% else %}
select
    d.pair,
    d.k{% for column in user_columns %}{% set x, base = "d." ~ column.name, "d." ~ column.name ~ "_base" %},
    count({{ x }}) as {{ column.name }}_users,
    count(case when {{ x }}_unpaired then 1 end) as {{ column.name }}_unpaired,
    count(case when {{ x }} - {{ base }} > 5e-13 then 1 end) as {{ column.name }}_wins,
    count(case when {{ base }} - {{ x }} > 5e-13 then 1 end) as {{ column.name }}_losses,
    {{ sql.exact_units(x) }} as {{ column.name }},
    {{ sql.exact_units(base) }} as {{ column.name }}_base,
    {{ products(column, x, x) | trim }} as {{ column.name }}_squares,
    {{ products(column, base, base) | trim }} as {{ column.name }}_base_squares,
    {{ products(column, x, base) | trim }} as {{ column.name }}_products{% endfor %}{% if checked %},
    {{ beyond_bounds(columns=user_columns, least="min(least(d.{0}, d.{0}_base))", most="max(greatest(d.{0}, d.{0}_base))") | indent }} as beyond_bounds{% endif %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
group by d.pair, d.k
{% endif %}
