{# The rows of several pipelines, in the order of the call. #}
select q.model, q.metric, q.k, q.value, q.users{% if spread %}, q.low, q.high, q.std_error, q.few{% endif %}

from (
{% for query in queries %}
    select * from (
{{ query | indent(8, first=true) }}
    ) as q{{ loop.index }}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as q
order by
    q.model asc nulls first,
    case q.metric
{% for column in numbered %}
        when {{ column.label }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc
