{# The table in the parameter interactions. #}
from query_table(recsql.relation(interactions))
