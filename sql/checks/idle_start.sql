{#
message = "start: with impressions, events count from the time of each; leave start= out"
#}
