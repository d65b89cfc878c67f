with
-- one row per row of recs, with recsql's column names
given_recs as (
    select
        cast(r.model as varchar) as model,
        r.user_id,
        r.item_id,
        r.rank
    from read_parquet('examples/movietweetings/recs.parquet') as r
),

-- one row per row of truth, with recsql's column names
given_truth as (
    select
        t.user_id,
        t.item_id,
        cast(t.relevance as double) as relevance
    from read_parquet('examples/movietweetings/truth.parquet') as t
),

-- one row per row of segments, with recsql's column names
given_segments as (
    select
        s.user_id,
        s.rating as segment_1
    from read_parquet('examples/movietweetings/ratings.parquet') as s
),

-- one row per row of train
given_train as (
    select t.user_id
    from read_parquet('examples/movietweetings/ratings.parquet') as t
),

-- one row per cut-off
cutoffs as (
    select 10 as k
),

-- one row per recommended item, up to the largest cut-off
recommended as (
    select r.model, r.user_id, r.item_id, r.rank
    from given_recs as r
    where r.rank <= 10
),

-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as (
    select
        t.user_id,
        t.item_id,
        max(t.relevance) as gain
    from given_truth as t
    where t.relevance > 0
    group by t.user_id, t.item_id
),

-- one row per user with relevant items, with their number
users as (
    select distinct t.user_id
    from relevant as t
),

-- one row per user with relevant items: the gains of the ideal list, from its top
ideals as (
    select
        t.user_id,
        [g * (1e0 / nullif(log2(r + 1), 0)) for g, r in list(t.gain order by t.gain desc)] as weights
    from relevant as t
    group by t.user_id
),

-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
        min_by(t.gain, r.rank) as gain
    from recommended as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id
),

-- one row per hit and cut-off at which it counts
hits_in_force as (
    select h.model, h.user_id, c.k, h.rank, h.gain
    from found as h
    inner join cutoffs as c on c.k >= h.rank
),

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k,
        sum(h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as dcg
    from hits_in_force as h
    group by h.model, h.user_id, h.k
),

-- one row per model and user with a list
lists as (
    select distinct r.model, r.user_id
    from given_recs as r
),

-- one row per model; one row without a name if nothing is recommended
models as (
    select distinct r.model
    from given_recs as r
    union all
    select cast(null as varchar) as model
    where not exists (select 1 from given_recs as r)
),

-- one row per model and user in the mean
population as (
    select
        m.model,
        u.user_id
    from models as m
    cross join users as u
),

-- one row per model, cut-off and user in the mean: the statistics of the hits, NULL without a hit
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
        h.dcg
    from population as u
    cross join cutoffs as c
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
),

-- one row per model, cut-off and user: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
        u.k,
        coalesce(u.dcg, 0e0) as dcg,
        coalesce(list_sum(list_slice(i.weights, 1, u.k)), 0e0) as idcg
    from users_at_k as u
    left join ideals as i on i.user_id = u.user_id
),

-- one row per model, cut-off and user: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        s.dcg / nullif(s.idcg, 0e0) as ndcg
    from at_k as s
),

-- one row per user in train: the number of their rows
activities as (
    select a.user_id, count(*) as events
    from given_train as a
    where a.user_id is not null
    group by a.user_id
),

-- one row per user with segments (and row of the user in the table segments): the values of the columns
segment_values as (
    select
        coalesce(s.user_id, a.user_id) as user_id,
        s.segment_1,
        a.segment_2
    from (
        select s.user_id, s.segment_1
        from given_segments as s
    ) as s
    full join (
        select a.user_id, a.events as segment_2
        from activities as a
    ) as a on a.user_id = s.user_id
),

-- one row per column that is cut into quantiles and value: its quantile among the users with a value
segment_quantiles as (
    select
        w.name,
        w.quantiles,
        w.value,
        cast(floor(cast(w.below * w.quantiles as double) / w.users) as bigint) + 1 as quantile
    from (
        select
            n.name,
            n.quantiles,
            n.value,
            cast(sum(n.users) over (partition by n.name, n.quantiles order by n.value asc) - n.users as bigint) as below,
            cast(sum(n.users) over (partition by n.name, n.quantiles) as bigint) as users
        from (
            select 'segment_1' as name, 4 as quantiles, d.value, count(*) as users
            from (select distinct v.user_id, try_cast(v.segment_1 as double) as value from segment_values as v) as d
            where d.value is not null
            group by d.value
        ) as n
    ) as w
),

-- one row per user with segments, slice and segment of the user
user_segments as (
    select distinct
        v.user_id,
        1 as slice,
        coalesce('q' || lpad(cast(segment_1_q4.quantile as varchar), 1, '0'), '(none)')
        || ' / ' || coalesce(
            case
                when coalesce(v.segment_2, 0) < 1.0e0 then '0'
                when coalesce(v.segment_2, 0) < 3.0e0 then '1-2'
                when coalesce(v.segment_2, 0) < 21.0e0 then '3-20'
                when coalesce(v.segment_2, 0) < 101.0e0 then '21-100'
                when coalesce(v.segment_2, 0) is not null then '101+'
            end,
            '(none)'
        ) as segment
    from segment_values as v
    left join segment_quantiles as segment_1_q4
        on segment_1_q4.name = 'segment_1' and segment_1_q4.quantiles = 4 and segment_1_q4.value = try_cast(v.segment_1 as double)
),

-- one row per slice; slice 0 has all users as one segment
slices as (
    select 0 as slice, cast(null as varchar) as otherwise
    union all
    select 1 as slice, '(none) / 0' as otherwise
),

-- one row per model, cut-off, user, slice and segment of the user: the metrics
per_segment as (
    select
        p.model,
        p.user_id,
        s.slice,
        coalesce(g.segment, s.otherwise) as segment,
        p.k,
        p.ndcg
    from per_user as p
    cross join slices as s
    left join user_segments as g on g.user_id = p.user_id and g.slice = s.slice
),

-- one row per model with users in the mean: the number of these users
headcount as (
    select u.model, s.slice, coalesce(g.segment, s.otherwise) as segment, count(*) as users
    from population as u
    cross join slices as s
    left join user_segments as g on g.user_id = u.user_id and g.slice = s.slice
    group by u.model, s.slice, coalesce(g.segment, s.otherwise)
),

-- one row per slice and segment with users in the mean of a model
segments_in_mean as (
    select distinct h.slice, h.segment
    from per_segment as h
),

-- one row per model: the number of users in the mean
census as (
    select m.model, s.slice, s.segment, coalesce(n.users, 0) as users
    from models as m
    cross join segments_in_mean as s
    left join headcount as n on n.model is not distinct from m.model and n.slice = s.slice and n.segment is not distinct from s.segment
),

-- one row per model and cut-off: the number of lists, the mean of each metric, and the number of users with a value
means as (
    select
        p.model,
        p.slice,
        p.segment,
        p.k,
        count(l.user_id) as lists,
        avg(p.ndcg) as ndcg,
        count(p.ndcg) as ndcg_users
    from per_segment as p
    left join lists as l on l.model is not distinct from p.model and l.user_id = p.user_id
    group by p.model, p.slice, p.segment, p.k
),

-- one row per model, metric and cut-off
summary as (
    select m.model, m.slice, m.segment, 'ndcg' as metric, m.k, m.ndcg as value, m.ndcg_users as users, m.lists, 1 as place, 'ndcg' as definition
    from means as m
)

select
    s.model,
    case s.slice when 1 then 'rating[q4] x train.activity' end as slice,
    s.segment,
    s.metric,
    s.k,
    s.value,
    s.users,
    s.lists,
    cast(s.users as double) / nullif(a.users, 0) as share,
    s.definition
from summary as s
left join summary as a on a.model is not distinct from s.model and a.slice = 0 and a.place = s.place and a.k = s.k
left join census as m on m.model is not distinct from s.model and m.slice = s.slice and m.segment is not distinct from s.segment
where (s.slice = 0 or coalesce(m.users, 0) >= 5)
order by
    s.model asc nulls first,
    s.slice asc,
    regexp_extract(s.segment, '^[<>= -]*([^0-9]*)', 1) asc nulls last,
    coalesce(
        try_cast(regexp_extract(s.segment, '^[<>= ]*(-?[0-9]+([.][0-9]+)?)', 1) as double),
        try_cast(regexp_extract(s.segment, '([0-9]+([.][0-9]+)?)', 1) as double)
    ) asc nulls last,
    case when s.segment like '<%' then 0 else 1 end asc,
    s.segment asc nulls last,
    s.place asc,
    s.k asc
