{#
message = "ties='{ties}' needs the order of the rows, which tables in Spark do not have; use ties='item'"
#}
