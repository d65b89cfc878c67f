{# Every interaction, and the part that it falls into: one of each user is the truth, the others train. #}
select t.*, {{ rendering.expression("expressions/part.sql") }} as part
from given_interactions as t
where {{ rendering.expression("expressions/measurable.sql") }}
