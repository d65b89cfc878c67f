{# The table in the option train. Without one, recs is a placeholder that gives the type of the ids and is not read. #}
select t.item_id
from {{ source }} as t
