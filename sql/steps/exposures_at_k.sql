{#
row = "one row per model and cut-off: the statistics of the exposure of the recommended items"
grain = "item"
sums = { over = "exposures", alias = "e", reader = "run_at_k" }
#}
select
    x.model,
    x.k{% for name, sum in rendering.sums("exposures").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from item_exposures as x
group by x.model, x.k
