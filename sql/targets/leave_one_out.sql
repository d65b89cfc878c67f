{# Every interaction with its part: one interaction of each user is truth, the others are train. #}
select t.*, {{ part() }} as part
from given_interactions as t
where {{ measurable() }}
