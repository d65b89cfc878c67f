{#
about = "in a macro, the rows of asked: the metrics that its call names, each with its place in the file"
also = "item rating pair"
#}
select list_position([{% for column in shown_columns %}{{ ", " if column.place > 1 }}'{{ column.metric }}'{% endfor %}], m.metric) as place, m.metric
from (select unnest({{ asked_metrics }}) as metric) as m
