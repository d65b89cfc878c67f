{#
row = "one row per model and cut-off: the statistics of the categories in the lists"
grain = "item"
sums = { over = "categories", alias = "q", reader = "run_at_k" }
#}
select
    y.model,
    y.k{% for name, sum in rendering.sums("categories").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from category_entropies as y
group by y.model, y.k
