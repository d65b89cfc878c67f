{# The rows of several pipelines, in the order of the call. #}
select q.model{{ ", q.slice, q.segment" if sliced }}, q.metric, q.k, q.value, q.users, q.lists{{ ", q.share" if sliced }}{% if spread %}, q.low, q.high, q.std_error, q.few{% endif %}, q.definition

from (
{% filter indent(4, first=true) %}{% include "targets/union.sql" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
{% if sliced %}
    case q.slice{% for one in slices %} when {{ literal(one.name) }} then {{ one.place }}{% endfor %} else 0 end asc,
{% if slices | selectattr("labels") | list %}
    case q.slice{% for one in slices %}{% if one.labels %}

        when {{ literal(one.name) }} then case q.segment{% for label in one.labels %} when {{ literal(label) }} then {{ loop.index }}{% endfor %} end{% endif %}{% endfor %}

    end asc nulls last,
{% endif %}
    q.segment asc nulls last,
{% endif %}
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc
