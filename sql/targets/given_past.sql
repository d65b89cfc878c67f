{# The table in a macro's parameter train, all of whose columns must be there. #}
select t.user_id, t.item_id
from {{ source }} as t
