{#
row = "one row per model, and per user if mean = users: the metrics"
grain = "rating"
#}
select
    s.model,
    s.users{% for column in columns_of("rating") %},
    {{ rendering.natural(column) }} as {{ column.name }}
{%- endfor %}

from rating_errors as s
