{#
row = "one row per model and cut-off: the statistics of the categories in the lists"
grain = "item"
sums = { over = "categories", alias = "q", reader = "run_at_k" }
#}
{{ sums_of_lists("category_entropies", sums=statistics("categories")) }}
