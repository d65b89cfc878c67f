{#
row = "one row per model and cut-off: the statistics of the lists"
grain = "item"
sums = { over = "lists", alias = "l", reader = "run_at_k" }
#}
select
    y.model,
    y.k{% for name, sum in rendering.sums("lists").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from list_entropies as y
group by y.model, y.k
