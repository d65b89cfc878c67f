{#
about = "the latest time that an impression of an event at time x can have"
grain = "event"
#}
{{ x if tolerance == "0 seconds" else x ~ " + " ~ duration(tolerance) }}
