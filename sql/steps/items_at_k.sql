{#
row = "one row per model and cut-off: the statistics of the counts of the recommended items"
grain = "item"
sums = { over = "items", alias = "i", reader = "run_at_k" }
#}
select
    f.model,
    f.k{% for name, sum in rendering.sums("items").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from item_frequencies as f
group by f.model, f.k
