{#
about = "the standard error by the jackknife from the list `x` of values without each group, and their `mean`"
#}
sqrt(
    {{ sql.total(sql.mapped(x, "e", "(e - " ~ mean ~ ") * (e - " ~ mean ~ ")")) }}
    * ({{ sql.length(x) }} - 1e0) / {{ sql.length(x) }}
)
