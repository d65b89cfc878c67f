{#
row = "one row per model and cut-off: the statistics of the lists"
grain = "item"
sums = { over = "lists", alias = "l", reader = "run_at_k" }
of_lists = true
when = "needs.lists_at_k and target == 'evaluate'"
#}
select
    {{ key_columns("y") }}y.k{% for one in statistics.lists %}{% if one.needed %},
    {{ one.text | indent }} as {{ one.name }}{% endif %}{% endfor %}

from list_entropies as y
group by {{ keys("y") }}y.k
