{#
The results of evaluate_ratings.
#}

-- name: rating_metrics
{# The metrics of ratings and predictions, with the number of pairs. #}
select {{ model_of("s") }}, s.metric, s.value, n.pairs, s.users{% if spread %}, i.low, i.high, i.std_error, i.few{% endif %}, n.missing, n.unmatched_predictions, n.unmatched_ratings{{ ", s.definition" if not named }}
from rating_summary as s
inner join rating_counts as n on {{ on_model("n", "s") }}
{% if spread %}
left join intervals as i on {{ same_model("i", "s") }}i.place = s.place
{% endif %}
{% if checked %}
where {{ measurable() }}
{% endif %}
order by {{ turn("s.model") ~ " asc nulls first, " if modelled }}{{ place_in_call("s") }} asc

-- name: rating_metrics_joined
{# The rows of several pipelines, in the order of the call. #}
select q.*
from (
{% filter indent(4, first=true) %}{% include "targets/compare.sql: union" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc
