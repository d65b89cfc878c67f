{#
row = "one row per number of degrees of freedom: the quantile of the t distribution"
#}
{{ t_quantile("degrees") }}
