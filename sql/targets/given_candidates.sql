{# The table in the option candidates. Without one, recs is a placeholder that gives the type of the ids and is not read. #}
select c.user_id, c.item_id
from {{ source }} as c
