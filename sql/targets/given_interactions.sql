{# The table that the parameter interactions names. #}
from query_table(recsql.relation(interactions))
