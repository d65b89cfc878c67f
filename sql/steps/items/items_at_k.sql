{#
row = "one row per model and cut-off: the statistics of the counts of the recommended items"
grain = "item"
sums = { over = "items", alias = "i", reader = "run_at_k" }
#}
select
    {{ key_columns("f") }}f.k{% if item_groups %},
    f.part{% endif %}{% for one in statistics("items") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from item_frequencies as f
group by {{ keys("f") }}f.k{{ ", f.part" if item_groups }}
