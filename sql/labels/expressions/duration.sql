{#
about = "a length of time"
grain = "event"
#}
{{ "cast(" ~ literal_of(x) ~ " as interval)" if named else "interval " ~ literal_of(x) }}
