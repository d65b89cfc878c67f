{# The rows of several pipelines, in the order of the call. #}
select
    q.model,
    q.baseline,
    {{ as_given("q.user_id") }},
    q.metric,
    {{ "cast(nullif(q.k, " ~ whole ~ ") as integer) as k" if uncut else "q.k" }},
    q.value,
    q.baseline_value,
    q.difference,
    q.list_length,
    q.baseline_list_length,
    q.relevant{% for one in slices %},
    q.{{ one.title }}{% endfor %},
    q.definition

from (
{% filter indent(4, first=true) %}{% include "targets/union.sql" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
    {{ turn("q.baseline") }} asc nulls first,
    q.user_id asc,
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc
