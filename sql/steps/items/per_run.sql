{#
row = "one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists"
grain = "item"
kept = true
#}
select
    {{ key_columns("s") }}s.k{% if item_groups %},
    s.part{% endif %}{% for column in item_columns %},
    {{ column.natural | indent }} as {{ column.name }},
    {{ column.users }} as {{ column.name }}_users{% endfor %}

from run_at_k as s
