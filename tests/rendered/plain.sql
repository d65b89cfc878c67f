with
-- one row per row of recs, with recsql's column names
given_recs as (
    select
        cast(r.model as varchar) as model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score
    from read_parquet('examples/movietweetings/recs.parquet') as r
),

-- one row per row of truth, with recsql's column names
given_truth as (
    select
        t.user_id,
        t.item_id,
        cast(t.relevance as double) as relevance,
        cast(null as bigint) as rank
    from read_parquet('examples/movietweetings/truth.parquet') as t
),

-- one row per cut-off
cutoffs as (
    select 5 as k
    union all
    select 10 as k
),

-- one row per row of recs, with its rank
ranked as (
    select r.model, r.user_id, r.item_id, r.rank
    from given_recs as r
),

-- one row per recommended item, up to the largest cut-off
recommended as (
    select r.model, r.user_id, r.item_id, r.rank
    from ranked as r
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
    select t.user_id, count(*) as relevant
    from relevant as t
    group by t.user_id
),

-- one row per user with relevant items: their gains, highest first, or these discounted
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
        min_by(t.gain, r.rank) as gain,
        count(*) as copies
    from recommended as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id
),

-- one row per hit, numbered in list order
hits as (
    select
        f.model,
        f.user_id,
        f.item_id,
        try_cast(f.rank as bigint) as rank,
        f.gain,
        f.copies,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from found as f
),

-- one row per hit and cut-off at which it counts
hits_in_force as (
    select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth
    from hits as h
    inner join cutoffs as c on c.k >= h.rank
),

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k,
        1e0 as any_hit,
        sum(h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as dcg,
        count(*) as hits,
        sum(h.nth / nullif(cast(h.rank as double), 0)) as precision_sum,
        1e0 / nullif(min(h.rank), 0) as reciprocal_rank
    from hits_in_force as h
    group by h.model, h.user_id, h.k
),

-- one row per model and user with a list
lists as (
    select r.model, r.user_id, count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
),

-- one row per model; one row without a name if nothing is recommended
models as (
    select distinct r.model
    from given_recs as r
    union all
    select cast(null as varchar) as model
    where not exists (select 1 from given_recs as r)
),

-- one row per model and user in the mean, with the number of relevant items
population as (
    select
        m.model,
        u.user_id,
        u.relevant
    from models as m
    cross join users as u
),

-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
        h.any_hit,
        h.dcg,
        h.hits,
        h.precision_sum,
        h.reciprocal_rank,
        u.relevant
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
        coalesce(u.any_hit, 0e0) as any_hit,
        coalesce(u.dcg, 0e0) as dcg,
        coalesce(u.hits, 0) as hits,
        coalesce(u.precision_sum, 0e0) as precision_sum,
        u.reciprocal_rank,
        coalesce(list_sum(list_slice(i.weights, 1, u.k)), 0e0) as idcg,
        coalesce(u.relevant, 0) as relevant

    from users_at_k as u
    left join ideals as i on i.user_id = u.user_id
),

-- one row per model, cut-off and user: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        coalesce(s.hits / cast(s.k as double), 0e0) as precision,
        coalesce(s.hits / cast(nullif(s.relevant, 0) as double), 0e0) as recall,
        coalesce(s.precision_sum / nullif(least(s.k, s.relevant), 0), 0e0) as ap,
        s.dcg / nullif(s.idcg, 0e0) as ndcg,
        coalesce(s.reciprocal_rank, 0e0) as rr,
        s.any_hit as hit
    from at_k as s
),

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.k,
        sum(p.precision) as precision,
        count(*) - count(p.precision) as precision_missing,
        sum(p.recall) as recall,
        count(*) - count(p.recall) as recall_missing,
        sum(p.ap) as ap,
        count(*) - count(p.ap) as ap_missing,
        sum(p.ndcg) as ndcg,
        count(*) - count(p.ndcg) as ndcg_missing,
        sum(p.rr) as rr,
        count(*) - count(p.rr) as rr_missing,
        sum(p.hit) as hit,
        count(*) - count(p.hit) as hit_missing
    from per_user as p
    group by p.model, p.k
),

-- one row per model with users in the mean: the number of these users
headcount as (
    select u.model, count(*) as users
    from population as u
    group by u.model
),

-- one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment
served as (
    select
        l.model,
        count(*) as lists,
        count(u.user_id) as in_mean
    from lists as l
    left join users as u on u.user_id = l.user_id
    group by l.model
),

-- one row per model: the number of users in the mean
census as (
    select m.model, coalesce(n.users, 0) as users, coalesce(v.in_mean, 0) as lists
    from models as m
    left join headcount as n on n.model is not distinct from m.model
    left join served as v on v.model is not distinct from m.model
),

-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
means as (
    select
        n.model,
        n.lists,
        c.k,
        coalesce(t.precision, 0e0) / nullif(n.users - coalesce(t.precision_missing, 0), 0) as precision,
        n.users - coalesce(t.precision_missing, 0) as precision_users,
        coalesce(t.recall, 0e0) / nullif(n.users - coalesce(t.recall_missing, 0), 0) as recall,
        n.users - coalesce(t.recall_missing, 0) as recall_users,
        coalesce(t.ap, 0e0) / nullif(n.users - coalesce(t.ap_missing, 0), 0) as ap,
        n.users - coalesce(t.ap_missing, 0) as ap_users,
        coalesce(t.ndcg, 0e0) / nullif(n.users - coalesce(t.ndcg_missing, 0), 0) as ndcg,
        n.users - coalesce(t.ndcg_missing, 0) as ndcg_users,
        coalesce(t.rr, 0e0) / nullif(n.users - coalesce(t.rr_missing, 0), 0) as rr,
        n.users - coalesce(t.rr_missing, 0) as rr_users,
        coalesce(t.hit, 0e0) / nullif(n.users - coalesce(t.hit_missing, 0), 0) as hit,
        n.users - coalesce(t.hit_missing, 0) as hit_users
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and t.k = c.k
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'precision' as metric, 'precision' as definition
    union all
    select 2 as place, 'recall' as metric, 'recall' as definition
    union all
    select 3 as place, 'ap' as metric, 'ap' as definition
    union all
    select 4 as place, 'ndcg' as metric, 'ndcg' as definition
    union all
    select 5 as place, 'rr' as metric, 'rr' as definition
    union all
    select 6 as place, 'hit' as metric, 'hit' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 1 then m.precision
            when 2 then m.recall
            when 3 then m.ap
            when 4 then m.ndcg
            when 5 then m.rr
            when 6 then m.hit
        end as value,
        case a.place
            when 1 then m.precision_users
            when 2 then m.recall_users
            when 3 then m.ap_users
            when 4 then m.ndcg_users
            when 5 then m.rr_users
            when 6 then m.hit_users
        end as users,
        m.lists,
        a.place,
        a.definition
    from means as m
    cross join asked as a
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
order by s.model asc nulls first, s.place asc, s.k asc
