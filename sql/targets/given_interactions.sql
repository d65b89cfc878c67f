{# The table in the parameter interactions. #}
from {{ source }}
