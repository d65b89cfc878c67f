{#
row = "one row per model and cut-off: the statistics of the exposure of the recommended items"
grain = "item"
sums = { over = "exposures", alias = "e", reader = "run_at_k" }
#}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in statistics("exposures") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from item_exposures as x
group by {{ keys("x") }}x.k{{ ", x.part" if item_groups }}
