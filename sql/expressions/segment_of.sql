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
