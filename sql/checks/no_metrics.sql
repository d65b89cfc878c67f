{#
message = "metrics: the list is empty; name a metric, pass 'all', or leave metrics= out for the default ones"
#}
