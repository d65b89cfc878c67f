{# Every interaction with its part: one interaction of each user is truth, the others are train. #}
select t.*, {{ rendering.expression("expressions/part.sql") }} as part
from given_interactions as t
where {{ rendering.expression("expressions/measurable.sql") }}
