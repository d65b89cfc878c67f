{#
row = "one row per model and cut-off: what the lists come to, on average"
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
