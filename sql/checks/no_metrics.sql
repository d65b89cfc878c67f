{#
message = "metrics: the list is empty; name a metric, pass 'all', or leave metrics out for the default ones"
#}
{# What a preset computes apart may be all that was asked for. #}
select {{ sentence() }} as message
where len(metrics) = 0 and recsql.apart("like") = []
