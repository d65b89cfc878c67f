{#
row = "no row, but an error for a metric that there isn't, or that lacks an option"
#}
select n.message
from (
    {{ rendering.check("requirements") | indent }}
    {{ rendering.check("no_metrics") | indent }}
    union all
    {{ rendering.check("metric_names") | indent }}
) as n
where {{ sql.error("n.message") }} is not null
