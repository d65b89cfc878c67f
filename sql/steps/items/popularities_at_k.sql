{#
row = "one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists"
grain = "item"
sums = { over = "popularities", alias = "p", reader = "run_at_k" }
of_lists = true
when = "train_counted"
#}
select
    {{ key_columns("y") }}y.k{% for one in statistics.popularities %}{% if one.needed %},
    {{ one.text | indent }} as {{ one.name }}{% endif %}{% endfor %}

from list_popularities as y
group by {{ keys("y") }}y.k
