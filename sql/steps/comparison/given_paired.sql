{#
row = "one row per pair of models, metric and cut-off: the sums for the test and the interval"
grain = "pair"
#}
{{ tables.paired.select }}
