{# The metrics of ratings and predictions, with the number of pairs. #}
select s.model, s.metric, s.value, n.pairs, s.users, n.missing, n.unmatched_predictions, n.unmatched_ratings
from rating_summary as s
inner join rating_counts as n on n.model is not distinct from s.model
where {{ rendering.expression("expressions/measurable.sql") }}
order by s.model asc nulls first, s.place asc
