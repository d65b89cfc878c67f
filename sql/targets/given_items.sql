{# The table that the option items names; without one it is not looked at, and stands for the type of its ids. #}
select i.item_id, i.category
from (
    from query_table(recsql.relation(coalesce(items, recs)))
    union all by name
    select null::varchar as category where false
) as i
