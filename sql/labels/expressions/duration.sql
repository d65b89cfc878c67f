{#
about = "a length of time"
grain = "event"
#}
{{ "cast(" ~ literal(x) ~ " as interval)" if named else "interval " ~ literal(x) }}
