{#
message = "{table}: user {user} has two values of {column}: {one} and {other}; give every user one, or a table with both as segments"
place = 5
on = ["segment_values"]
#}
{% macro faults(one, key) %}
{% set x = one.alias ~ "." ~ key.ours %}
select
    {{ sentence(table=tables[one.role].name, user=one.alias ~ ".user_id", column=literal_of(key.column), one="min(" ~ x ~ ")", other="case when min(" ~ x ~ ") <> max(" ~ x ~ ") then max(" ~ x ~ ") end") | indent }} as message
from given_{{ one.role }} as {{ one.alias }}
group by {{ one.alias }}.user_id
having min({{ x }}) <> max({{ x }}) or (count({{ x }}) > 0 and count({{ x }}) < count(*))
{% endmacro %}
select min(f.message) as message
from (
    select {{ sql.text("null") }} as message
    where false
{% for one in segment_sources if one.role in ["truth", "recs"] %}
{% for key in one.columns %}
    union all
    {{ faults(one, key) | trim | indent }}
{% endfor %}
{% endfor %}
) as f
having count(*) > 0
