{#
Slices and segments: their names, their order, and the joins with users.
#}

-- name: segment_of
{#
about = "the segment of a user `v` in the slice `x`: the value of its column, or of several with / between"
also = "item"

[options.by]
about = "adds rows for groups of users: those with the same value of a column of segments, truth or recs; 'a x b' crosses two, 'age[18,25]' and 'age[q4]' cut numbers, train.activity counts rows of train"
topic = "slices"
type = "columns"

[options.segments]
input = true
about = "a table of users with the columns for by: user_id and a column for each; a user may have several rows, or a LIST of values"
topic = "slices"
type = "table"

[options.multiple]
about = "what happens to a user with several segments in a slice"
topic = "slices"
default = "each"

[options.multiple.values]
each = "the user counts in each of them, and the shares add up to more than 1"
error = "an error"

[options.min_users]
about = "leaves out segments with fewer users in the mean"
topic = "slices"
default = 1
type = "integer"
at_least = 1
#}
{% macro text_of(key) %}
{% if key.cut.quantiles %}
'q' || lpad({{ sql.text(key.ours ~ "_q" ~ key.cut.quantiles ~ ".quantile") }}, {{ key.cut.quantiles | string | length }}, '0')
{%- elif key.cut.ends %}
case{% for one in key.cut.ranges %}

    when {{ number_of(key) }} < {{ one.end }} then {{ literal(one.segment) }}{% endfor %}

    when {{ number_of(key) }} is not null then {{ literal(key.cut.labels[-1]) }}
end
{%- else %}
{{ sql.text("v." ~ key.ours) }}
{%- endif %}
{% endmacro %}
{% macro told(key) %}
{% if key.cut.ends %}
coalesce(
    {{ text_of(key) | indent }},
    '(none)'
)
{%- else %}
coalesce({{ text_of(key) }}, '(none)')
{%- endif %}
{% endmacro %}
{% macro crossed() %}
{% for key in x["keys"] %}{% if key.place > 1 %}

|| ' / ' || {% endif %}{{ told(key) }}{% endfor %}
{% endmacro %}
{% if x["keys"] | length == 1 %}
{% for key in x["keys"] %}{{ text_of(key) }}{% endfor %}

{% elif x.otherwise is not none %}
{{ crossed() }}
{% else %}
case
    when {% for key in x["keys"] %}{{ " or " if key.place > 1 }}v.{{ key.ours }} is not null{% endfor %}

        then
            {{ crossed() | indent(12) }}
end
{% endif %}

-- name: segments_told
{#
about = "the column of the slice `x` for a user `g`: the segment, or several with commas between them"
#}
{% set told = "g.slice_" ~ x.place %}
{% if x.otherwise is not none %}
coalesce({{ told }}, {{ literal(x.otherwise) }}) as {{ x.title }}
{% else %}
{{ told }} as {{ x.title }}
{% endif %}

-- name: number_of
{#
about = "the number that a column `x` of slices has for a user `v`; a user without rows in train has 0"
#}
{{ "coalesce(v." ~ x.ours ~ ", 0)" if x.role == "train" else "try_cast(v." ~ x.ours ~ " as double)" }}

-- name: segment_joined
{#
about = "the segment `g` that a user is in, in the slice `s`; NULL for a user without one"
#}
{{ "coalesce(g.segment, s.otherwise)" if by_activity else "g.segment" }}

-- name: with_segments
{#
about = "the joins of the users `x` with the slices `s`, and with the user's segments `g` in each"
#}
cross join slices as s
left join user_segments as g on g.user_id = {{ x }}.user_id and g.slice = s.slice

-- name: same_segment
{#
about = "in a comparison, the condition that the rows `x` and `of` have the same segment, before another condition; empty without slices"
#}
{{ x ~ ".slice = " ~ of ~ ".slice and " ~ x ~ ".segment is not distinct from " ~ of ~ ".segment and " if pairs_sliced }}

-- name: order_of_segment
{#
about = "the place of the segment of a row `x` among the ranges or quantiles of its slice, before a comma; empty if no column is cut"
#}
{% if slices | selectattr("labels") | list %}
case {{ x }}.slice{% for one in slices %}{% if one.labels %}

        when {{ one.place }} then case {{ x }}.segment{% for label in one.labels %} when {{ literal(label) }} then {{ loop.index }}{% endfor %} end{% endif %}{% endfor %}

    end asc nulls last,
{{ "    " }}
{%- endif %}

-- name: by_size
{#
about = "the keys that order a text `x` by its first number, before the text itself: 3-20 comes before 21-100, < 3 before both, and level 2 before level 10"
also = "item"
#}
{% set number = "[0-9]+([.][0-9]+)?" %}
regexp_extract({{ x }}, '^[<>= -]*([^0-9]*)', 1) asc nulls last,
coalesce(
    try_cast(regexp_extract({{ x }}, '^[<>= ]*(-?{{ number }})', 1) as double),
    try_cast(regexp_extract({{ x }}, '({{ number }})', 1) as double)
) asc nulls last,
case when {{ x }} like '<%' then 0 else 1 end asc

-- name: name_of_slice
{#
about = "the name of the slice with the number `x`; NULL for all users"
#}
{% if named %}
(select z.name from slices as z where z.slice = {{ x }})
{%- else %}
case {{ x }}{% for one in slices %} when {{ one.place }} then {{ literal(one.name) }}{% endfor %} end
{%- endif %}
