{# Every interaction, and the part that it falls into: one of each user is the truth, the others train. #}
select t.*, {{ rendering.expression("expressions/part.sql") }} as part
from given_interactions as t
where (select count({{ sql.error("p.message") }}) from problems as p) = 0
