{#
row = "one row per pair of models, metric and cut-off: the sums that the test and the interval are made of"
grain = "pair"
when = "target == 'compare'"
#}
{{ tables.paired.select }}
