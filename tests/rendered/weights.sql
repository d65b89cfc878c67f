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

-- one row per row of train
given_train as (
    select
        t.user_id,
        t.item_id
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

-- one row per item in train: its rows, and its users if a metric counts these; NULL if it has none
train_counts as (
    select
        t.item_id,
        nullif(count(t.user_id), 0) as users
    from (
        select t.item_id, t.user_id
        from given_train as t
        where t.item_id is not null
        group by t.item_id, t.user_id
    ) as t
    group by t.item_id
),

-- one row per item in train: its propensity, and that of an item with one user
item_propensities as (
    select
        n.item_id,
        power(n.users / max(n.users) over (), 0.5e0) as propensity,
        power(1e0 / max(n.users) over (), 0.5e0) as of_one_user
    from (select t.item_id, cast(t.users as double) as users from train_counts as t) as n
),

-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as (
    select
        t.user_id,
        t.item_id,
        max((1e0 / coalesce(x.propensity, (select min(p.of_one_user) from item_propensities as p)))) as weight,
        max(t.relevance) as gain
    from given_truth as t
    left join item_propensities as x on x.item_id = t.item_id
    where t.relevance > 0
    group by t.user_id, t.item_id
),

-- one row per user with relevant items: the sum of their weights, and of these times their gains
truth_weights as (
    select
        t.user_id,
        sum(t.weight) as weight,
        sum(t.weight * t.gain) as gain
    from relevant as t
    group by t.user_id
),

-- one row per user with relevant items, with their number
users as (
    select distinct t.user_id
    from relevant as t
),

-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
        min_by(t.gain, r.rank) as gain,
        min_by(t.weight, r.rank) as weight
    from recommended as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id
),

-- one row per hit and cut-off at which it counts
hits_in_force as (
    select h.model, h.user_id, c.k, h.rank, h.gain, h.weight
    from found as h
    inner join cutoffs as c on c.k >= h.rank
),

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k,
        sum(h.gain * h.weight * (1e0 / nullif(log2(h.rank + 1), 0))) as dcg,
        sum(h.weight) as hit_weights
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
        h.dcg,
        h.hit_weights
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
        coalesce(u.hit_weights, 0e0) as hit_weights,
        coalesce(w.gain, 0e0) as total_gain,
        coalesce(w.weight, 0e0) as total_weight
    from users_at_k as u
    left join truth_weights as w on w.user_id = u.user_id
),

-- one row per model, cut-off and user: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        coalesce(s.hit_weights / cast(nullif(s.total_weight, 0) as double), 0e0) as recall,
        s.dcg / cast(nullif(s.total_gain, 0) as double) as dcg
    from at_k as s
),

-- one row per model and cut-off: the number of lists, the mean of each metric, and the number of users with a value
means as (
    select
        p.model,
        p.k,
        count(l.user_id) as lists,
        avg(p.recall) as recall,
        count(p.recall) as recall_users,
        avg(p.dcg) as dcg,
        count(p.dcg) as dcg_users
    from per_user as p
    left join lists as l on l.model is not distinct from p.model and l.user_id = p.user_id
    group by p.model, p.k
),

-- one row per model, metric and cut-off
summary as (
    select m.model, 'recall' as metric, m.k, m.recall as value, m.recall_users as users, m.lists, 1 as place, 'recall(weighting=snips, propensity_power=0.5)' as definition
    from means as m
    union all
    select m.model, 'dcg' as metric, m.k, m.dcg as value, m.dcg_users as users, m.lists, 2 as place, 'dcg(weighting=snips, propensity_power=0.5)' as definition
    from means as m
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
order by s.model asc nulls first, s.place asc, s.k asc
