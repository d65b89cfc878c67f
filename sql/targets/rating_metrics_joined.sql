{# The rows of several pipelines, in the order of the call. #}
select q.*
from (
{% filter indent(4, first=true) %}{% include "targets/union.sql" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc
