{# The rows of several pipelines, in the order of the call. #}
select q.model{% if slices %}, q.slice, q.segment{% endif %}, q.metric, q.k, q.value, q.users{% if slices %}, q.share{% endif %}{% if spread %}, q.low, q.high, q.std_error, q.few{% endif %}

from (
{% filter indent(4, first=true) %}{% include "targets/union.sql" %}{% endfilter %}
) as q
order by
    q.model asc nulls first,
{% if slices %}
    case q.slice{% for one in slices %} when {{ one.name | sql_literal }} then {{ one.place }}{% endfor %} else 0 end asc,
    q.segment asc nulls last,
{% endif %}
    case q.metric
{% for column in numbered %}
        when {{ column.label }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc
