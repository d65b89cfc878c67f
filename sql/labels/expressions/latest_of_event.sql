{#
about = "the latest time of an impression that an event at time x can go to"
grain = "event"
#}
{{ x if tolerance == "0 seconds" else x ~ " + " ~ duration(tolerance) }}
