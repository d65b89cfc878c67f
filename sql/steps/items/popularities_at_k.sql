{#
row = "one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists"
grain = "item"
sums = { over = "popularities", alias = "p", reader = "run_at_k" }
#}
{{ sums_of_lists("list_popularities", sums=statistics("popularities")) }}
