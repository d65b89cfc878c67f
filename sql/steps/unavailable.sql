{#
row = "no rows, but an error for an unknown metric, or for one that lacks a required option"
#}
select n.message
from (
    {{ rendering.check("requirements") | indent }}
    {{ rendering.check("no_metrics") | indent }}
    union all
    {{ rendering.check("metric_names") | indent }}
) as n
where {{ sql.error("n.message") }} is not null
