{#
row = "one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists"
grain = "item"
#}
select
    s.model,
    s.k{% for column in columns_of("item") %},
    {{ rendering.natural(column) }} as {{ column.name }},
    {{ rendering.counted(column) }} as {{ column.name }}_users
{%- endfor %}

from run_at_k as s
