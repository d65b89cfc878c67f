{# The users of the table in the option users. For a policy, truth is a placeholder that is not read. #}
select distinct g.user_id
from query_table(recsql.relation(case when users {{ policies }} then truth else users end)) as g
