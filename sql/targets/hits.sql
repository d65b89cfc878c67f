{# Every recommended row in the top k, with the values of its list up to that rank. #}
select
    o.model,
    o.user_id,
    o.item_id,
    o.rank,
    o.relevance,
    o.gain,
    o.hit,
    o.hits,
    o.hits / {{ double("o.rank") }} as precision,
    o.discount,
    o.dcg
from (
    select
        r.model,
        r.user_id,
        r.item_id,
        try_cast(r.rank as bigint) as rank,
        j.relevance,
        coalesce(h.gain, 0e0) as gain,
        h.nth is not null as hit,
        count(h.nth) over (partition by r.model, r.user_id order by r.rank asc) as hits,
        {{ discount("r.rank") }} as discount,
        sum(coalesce(h.gain, 0e0) * {{ discount("r.rank") }}) over (partition by r.model, r.user_id order by r.rank asc) as dcg
    from recommended as r
    inner join cutoffs as c on c.k >= r.rank
    left join hits_in_force as h
        on h.model is not distinct from r.model and h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
) as o
where {{ rendering.expression("expressions/measurable.sql") }}
