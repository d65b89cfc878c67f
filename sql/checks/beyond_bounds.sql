{#
message = "{metric} has values from {least} to {most}, beyond its bounds {bounds}; correct the expression or the bounds in sql/metrics/{file}.sql"
#}
