{#
about = "the column of the slice `x` beside the values of a user `g`: the segment, or several with commas between them"
#}
{% set told = "g.slice_" ~ x.place %}
{{ "coalesce(" ~ told ~ ", " ~ literal(x.otherwise) ~ ")" if x.otherwise else told }} as {{ x.title }}
