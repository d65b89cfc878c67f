{#
about = "the segment of a user `v` in the slice `x`: the value of its column, or of several with / between"
also = "item"

[options.by]
about = "adds rows for groups of users: those with the same value of a column of segments, truth or recs; 'a x b' crosses two columns"
topic = "slices"
type = "columns"

[options.segments]
input = true
about = "a table of users with the columns for by: user_id and a column for each; a user may have several rows, and counts in each segment"
topic = "slices"
type = "table"
#}
{% macro text_of(key) %}{{ sql.text("v." ~ key.ours) }}{% endmacro %}
{% if x["keys"] | length == 1 %}
{{ text_of(x["keys"][0]) }}
{% else %}
case
    when {% for key in x["keys"] %}v.{{ key.ours }} is not null{{ " or " if not loop.last }}{% endfor %}

        then {% for key in x["keys"] %}coalesce({{ text_of(key) }}, '(none)'){{ " || ' / ' || " if not loop.last }}{% endfor %}

end
{% endif %}
