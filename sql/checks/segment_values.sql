{#
message = "{table}: user {user} has two values of {column}: {one} and {other}; give every user one, or a table with both as segments="
place = 5
on = ["segment_values"]
#}
{% macro faults(role, alias, key) %}
{% set x = alias ~ "." ~ key.ours %}
select
    '{{ role }}' as role,
    {{ sql.text(alias ~ ".user_id") }} as user_id,
    {{ literal(key.column) }} as name,
    {{ sql.text("min(" ~ x ~ ")") }} as one,
    {{ sql.text("case when min(" ~ x ~ ") <> max(" ~ x ~ ") then max(" ~ x ~ ") end") }} as other
from given_{{ role }} as {{ alias }}

group by {{ alias }}.user_id
having min({{ x }}) <> max({{ x }}) or (count({{ x }}) > 0 and count({{ x }}) < count(*))
{% endmacro %}
{% set table = "case f.role when 'recs' then " ~ tables.recs.name ~ (" else " ~ tables.truth.name if "truth" in tables else "") ~ " end" %}
select min(m.message) as message
from (
    select
        {{ sentence(table=table, user="f.user_id", column="f.name", one="f.one", other="f.other") | indent(8) }} as message
    from (
        select
            {{ sql.text("null") }} as role,
            {{ sql.text("null") }} as user_id,
            {{ sql.text("null") }} as name,
            {{ sql.text("null") }} as one,
            {{ sql.text("null") }} as other
        where false
{% for one in segment_sources if one.role in ["truth", "recs"] %}
{% for key in one.columns %}
        union all
        {{ faults(one.role, one.alias, key) | trim | indent(8) }}
{% endfor %}
{% endfor %}
    ) as f
) as m
having count(*) > 0
