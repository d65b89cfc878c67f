{#
about = "the place of the metric of a row `x` in the call"
also = "item rating pair"
#}
{{ "list_position(" ~ asked_metrics ~ ", " ~ x ~ ".metric)" if named else x ~ ".place" }}
