{#
row = "one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value"
#}
{% macro squares(sum, x) %}{{ sql[sum](x, "p.users") | indent if grouped else sql[sum](x) | indent }}{% endmacro %}
{% if parts %}
select
    {{ key_columns("a") }}a.k{% for column in user_columns %},
    {{ sql.of_units(added("sum", place=column.order)) }} as {{ column.name }},
    cast({{ added("headcount", place=column.order) }} - {{ added("users", place=column.order) }} as bigint) as {{ column.name }}_missing{% if spread %},
    {{ sql.of_units(added_if_all("squares", place=column.order)) | indent }} as {{ column.name }}_squares,
    cast({{ added("users", place=column.order) }} - {{ added("zeros", place=column.order) }} as bigint) as {{ column.name }}_others{% endif %}{% endfor %}


from addends as a
group by {{ keys("a") }}a.k
{% elif in_rows %}
{% set users = "p.users" if grouped else "1" %}
select
    {{ key_columns("p") }}p.place,
    p.k,
    {{ exact("p.value", "p.users") if grouped else exact("p.value") }} as total,
{% if spread %}
    {{ sql.square_sum("p.value", users) }} as squares,
    cast(sum(case when p.value <> 0 then {{ users }} else 0 end) as bigint) as others,
{% endif %}
    cast(sum(case when p.value is null then {{ users }} else 0 end) as bigint) as missing
from {{ "per_segment" if sliced else "metric_values" }} as p
group by {{ keys("p") }}p.place, p.k
{% else %}
select
    {{ key_columns("p") }}p.k{% for column in user_columns %},
    {{ exact("p." ~ column.name, "p.users") if grouped else exact("p." ~ column.name) }} as {{ column.name }},
{% if target == "paired" %}
    {{ exact("p." ~ column.name ~ " * p." ~ column.name) }} as {{ column.name }}_squares,
    count(case when p.{{ column.name }} > 5e-13 then 1 end) as {{ column.name }}_others,
{% endif %}
{% if target == "partial" %}
    case
        when coalesce(max(abs(p.{{ column.name }})), 0e0) < 3e4
            then coalesce({{ exact("case when abs(p." ~ column.name ~ ") < 3e4 then p." ~ column.name ~ " * p." ~ column.name ~ " end") }}, 0)
    end as {{ column.name }}_squares,
{% elif spread %}
    {% if column.method == "wilson" %}{{ squares("exact_sum", "p." ~ column.name ~ " * p." ~ column.name) }}{% else %}{{ squares("square_sum", "p." ~ column.name) }}{% endif %} as {{ column.name }}_squares,
{% endif %}
{% if target == "partial" or spread %}
    {{ "cast(sum(case when p." ~ column.name ~ " <> 0 then p.users else 0 end) as bigint)" if grouped else "count(case when p." ~ column.name ~ " <> 0 then 1 end)" }} as {{ column.name }}_others,
{% endif %}
    {{ "cast(sum(case when p." ~ column.name ~ " is null then p.users else 0 end) as bigint)" if grouped else "count(*) - count(p." ~ column.name ~ ")" }} as {{ column.name }}_missing{% endfor %}{% if checked %},
    {{ beyond_bounds(columns=user_columns, least="min(p.{})", most="max(p.{})") | indent }} as beyond_bounds{% endif %}

from {{ "per_segment" if sliced else "per_user" }} as p
group by {{ keys("p") }}p.k
{% endif %}
