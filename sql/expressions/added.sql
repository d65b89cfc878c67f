{#
about = "the sum over parts, rows `a`, of their column `x` for the metric at `place`"
#}
sum(case when a.place = {{ place }} then a.{{ x }} end)
