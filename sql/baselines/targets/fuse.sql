{# The lists of all models of each user as one list. #}
select
    f.user_id,
    f.item_id,
    row_number() over (partition by f.user_id order by f.score desc, f.item_id asc) as rank,
    f.score
from fused as f
where {{ measurable() }}
