{#
row = "one row per number of degrees of freedom: the quantile of the t distribution"
when = "spread or target == 'compare'"
#}
{{ t_quantile("degrees") }}
