{# The call with every option known. #}
from recsql.{{ under }}(
    {{ most }}
)
