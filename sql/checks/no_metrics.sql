{#
message = "metrics: none was asked for; leave it out for all of them"
#}
{# What a preset computes apart may be all that was asked for. #}
select {{ sentence() }} as message
where len(metrics) = 0 and recsql.apart("like") = []
