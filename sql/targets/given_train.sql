{# The table that the option train names; without one it is not looked at, and stands for the type of its ids. #}
select t.item_id
from query_table(recsql.relation(coalesce(train, recs))) as t
