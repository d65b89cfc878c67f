{#
Segments and clusters of users.
#}

-- name: segment_values
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

-- name: segment_numbers
{#
message = "by: {column} of user {user} is {found}, which is not a number to cut; correct it, or leave the brackets out"
place = 5
on = ["user_segments"]
when = "segmented and cut_columns"
#}
select min(f.message) as message
from (
    select {{ sql.text("null") }} as message
    where false{% for one in cut_columns %}

    union all
    select
        {{ sentence(column=literal(one.column), user="v.user_id", found="v." ~ one.ours) | indent(8) }} as message
    from segment_values as v
    where v.{{ one.ours }} is not null and coalesce({{ sql.is_nan(number_of(one)) }}, true){% endfor %}

) as f
having count(*) > 0

-- name: segment_texts
{#
message = "by: {column} of user {user} is {found}, which would be unclear when it is crossed; rename the value in a view"
place = 5
on = ["user_segments"]
when = "segmented and crossed_columns"
#}
select min(f.message) as message
from (
    select {{ sql.text("null") }} as message
    where false{% for one in crossed_columns %}

    union all
    select
        {{ sentence(column=literal(one.column), user="v.user_id", found="v." ~ one.ours) | indent(8) }} as message
    from segment_values as v
    where {{ sql.text("v." ~ one.ours) }} like '% / %' or {{ sql.text("v." ~ one.ours) }} = '(none)'{% endfor %}

) as f
having count(*) > 0

-- name: multiple
{#
message = "{segments}: user {user} has several segments of {slice}: {one} and {other}; give every user one, or set multiple='each'"
place = 6
on = ["user_segments"]
when = "multiple == 'error' and by_table"
#}
select
    {{ sentence(user="g.user_id", slice=name_of_slice("g.slice"), one="min(g.segment)", other="case when min(g.segment) <> max(g.segment) then max(g.segment) end") | indent }} as message
from user_segments as g
group by g.user_id, g.slice
having count(*) > 1
order by g.user_id asc, g.slice asc
limit 1

-- name: segments
{#
message = "by: {slice} has {found} segments, and at most 100 are shown; group its values in a view"
place = 8
on = ["slices"]
#}
select
    {{ sentence(slice=name_of_slice("n.slice"), found="n.segments") | indent }} as message
from (
    select g.slice, count(distinct g.segment) as segments
    from (
{% if pairs_sliced and user_metrics %}
        select p.slice, p.segment from segment_pairs as p
{% elif user_metrics %}
        select h.slice, h.segment from headcount as h
{% endif %}
{% if user_metrics and (item_metrics or group_metrics) %}
        union all
{% endif %}
{% if item_metrics or group_metrics %}
        select l.slice, l.segment from list_counts as l
{% endif %}
    ) as g
    group by g.slice
) as n
where n.segments > 100
order by n.slice asc
limit 1

-- name: no_slices
{#
message = "{segments}: it has no column besides user_id; give it one for each slice, or call evaluate"
place = 1
on = ["user_segments"]
when = "named"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as slices from recsql.slice_columns(¦table_columns¦) as c) as n
where n.slices = 0

-- name: clusters_unread
{#
message = "{truth}: it has a column cluster, and the test of this file takes users as independent; leave the column out in a view, or render a file with recsql macros {way} -o FILE"
place = 2
on = ["model_pairs"]
when = "named and target == 'paired' and (test != 't' or looks == 'many')"
#}
select
    {{ sentence(way=literal("--looks one" if looks == "many" else "--test t")) | indent }} as message
from table_columns as c
where c.role = 'truth' and lower(c.name) = 'cluster'
limit 1

-- name: clusters_unranked
{#
message = "{truth}: it has a column cluster, and the macro rank takes users as independent; leave the column out in a view, or rank in Python"
place = 2
on = ["model_pairs"]
when = "named and ranked"
#}
select
    {{ sentence() | indent }} as message
from table_columns as c
where c.role = 'truth' and lower(c.name) = 'cluster'
limit 1

-- name: clusters
{#
message = "{truth}: user {user} belongs to the clusters {one} and {other}; give every user one"
place = 5
on = ["clusters"]
#}
select
    {{ sentence(user="t.user_id", one="min(t.cluster)", other="max(t.cluster)") | indent }} as message
from given_truth as t{% if named %}

where typeof(t.cluster) <> '"NULL"'{% endif %}

group by t.user_id
having min(t.cluster) <> max(t.cluster)
order by t.user_id asc
limit 1
