{# The users of the table in the option users. For a policy, truth is a placeholder that is not read. #}
select distinct g.user_id
from {{ source }} as g
