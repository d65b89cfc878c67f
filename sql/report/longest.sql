{# The number of items in the longest list of each model. #}
select l.model, max(l.items) as longest
from (
    select r.model, r.user_id, count(*) as items
    from (
        {{ recs | indent(8) }}
    ) as r
    group by r.model, r.user_id
) as l
group by l.model
