{#
about = "the column of the slice `x` for a user `g`: the segment, or several with commas between them"
#}
{% set told = "g.slice_" ~ x.place %}
{% if x.otherwise is not none %}
coalesce({{ told }}, {{ literal(x.otherwise) }}) as {{ x.title }}
{% else %}
{{ told }} as {{ x.title }}
{% endif %}
