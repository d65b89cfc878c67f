{#
about = "a length of time"
grain = "event"
#}
interval {{ literal_of(x) }}
