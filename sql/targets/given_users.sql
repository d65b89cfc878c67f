{# The users of the table that the option users names; for a policy, of the truth, where they are not looked at. #}
select distinct g.user_id
from query_table(recsql.relation(case when users {{ policies }} then truth else users end)) as g
