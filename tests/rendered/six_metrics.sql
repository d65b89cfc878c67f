with
-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select
        cast(r.model as varchar) as model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score
    from read_parquet('examples/movietweetings/recs.parquet') as r
),

-- one row per row of truth, with recsql's column names
given_truth as not materialized (
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

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        sum(hash(xor(hash(t.relevance), hash(now())))) as profile,
        count(*) as stated
    from (
        select t.user_id, t.item_id, t.relevance
        from given_truth as t
        where t.relevance > 0
        union all
        select r.user_id, r.item_id, null as relevance
        from given_recs as r
        where false
    ) as t
    group by t.user_id
),

-- one row per row of recs, with its rank
ranked as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from given_recs as r
),

-- one row per recommended item, up to the largest cut-off
recommended as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from ranked as r
    where r.rank <= 10
),

-- one row per user who may have repeated items in the truth: the user has fewer bits than rows
suspects as (
    select f.user_id
    from fingerprints as f
    where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
),

-- one row per suspect with a repeated item in the truth
repeaters as (
    select t.user_id, true as repeats
    from given_truth as t
    inner join suspects as s on s.user_id = t.user_id
    where t.relevance > 0
    group by t.user_id
    having list_unique(list(t.item_id)) < count(*)
),

-- one row per repeater and relevant item, with its highest relevance
folded as (
    select
        t.user_id,
        t.item_id,
        max(t.relevance) as relevance
    from given_truth as t
    inner join repeaters as p on p.user_id = t.user_id
    where t.relevance > 0
    group by t.user_id, t.item_id
),

-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as not materialized (
    select
        t.user_id,
        t.item_id,
        t.relevance as gain
    from (
        select t.user_id, t.item_id, t.relevance
        from given_truth as t
        left join repeaters as p on p.user_id = t.user_id
        where
            not coalesce(p.repeats, false)
            and t.relevance > 0
        union all
        select t.user_id, t.item_id, t.relevance
        from folded as t
    ) as t
),

-- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
users as (
    select f.user_id, f.profile, f.stated as relevant
    from fingerprints as f
    left join repeaters as p on p.user_id = f.user_id
    where not coalesce(p.repeats, false)
    union all
    select t.user_id, sum(hash(xor(hash(t.relevance), hash(now())))) as profile, count(*) as relevant
    from folded as t
    group by t.user_id
),

-- one row per profile: one user who represents all users with this profile
examples as (
    select u.profile, u.relevant, min(u.user_id) as user_id
    from users as u
    group by u.profile, u.relevant
),

-- one row per profile: the gains of the relevant items, highest first, or these discounted
ideals as (
    select
        e.profile,
        e.relevant,
        [try_cast(1e18 * (g * (1e0 / nullif(log2(r + 1), 0))) as hugeint) for g, r in list(t.gain order by t.gain desc)] as weights
    from relevant as t
    inner join examples as e on e.user_id = t.user_id
    group by e.profile, e.relevant
),

-- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
possible_hits as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from (
        select r.model, r.user_id, r.item_id, r.rank
        from recommended as r
        union all
        select null as model, t.user_id, t.item_id, null as rank
        from given_truth as t
        where false
    ) as r
    inner join fingerprints as f
        on
            f.user_id = r.user_id
            and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
            and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
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
    from possible_hits as r
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
        sum(try_cast(1e18 * (h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as hugeint)) / 1e18 as dcg,
        count(*) as hits,
        sum(try_cast(1e18 * (h.nth / nullif(cast(h.rank as double), 0)) as hugeint)) / 1e18 as precision_sum,
        1e0 / nullif(min(h.rank), 0) as reciprocal_rank
    from hits_in_force as h
    group by h.model, h.user_id, h.k
),

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
        bit_xor(hash(xor(hash(try_cast(r.rank as bigint)), hash(now())))) as ranks,
        count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
),

-- one row per model and user with a list
lists as (
    select n.model, n.user_id, n.returned
    from list_ranks as n
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
population as not materialized (
    select
        m.model,
        u.user_id,
        u.profile,
        u.relevant
    from models as m
    cross join users as u
),

-- one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        h.k,
        h.any_hit,
        h.dcg,
        h.hits,
        h.precision_sum,
        h.reciprocal_rank,
        u.profile, u.relevant

    from hits_at_k as h
    inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id
),

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
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
        coalesce(list_sum(list_slice(i.weights, 1, u.k)) / 1e18, 0e0) as idcg,
        coalesce(u.relevant, 0) as relevant
    from users_at_k as u
    left join ideals as i on i.profile = u.profile and i.relevant = u.relevant
),

-- one row per model, cut-off and user or group of alike users: the metrics
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
        sum(try_cast(1e18 * p.precision as hugeint)) / 1e18 as precision,
        count(*) - count(p.precision) as precision_missing,
        sum(try_cast(1e18 * p.recall as hugeint)) / 1e18 as recall,
        count(*) - count(p.recall) as recall_missing,
        sum(try_cast(1e18 * p.ap as hugeint)) / 1e18 as ap,
        count(*) - count(p.ap) as ap_missing,
        sum(try_cast(1e18 * p.ndcg as hugeint)) / 1e18 as ndcg,
        count(*) - count(p.ndcg) as ndcg_missing,
        sum(try_cast(1e18 * p.rr as hugeint)) / 1e18 as rr,
        count(*) - count(p.rr) as rr_missing,
        sum(try_cast(1e18 * p.hit as hugeint)) / 1e18 as hit,
        count(*) - count(p.hit) as hit_missing,
        case
            when max(p.precision) > 1e0 + 1e-9 or min(p.precision) < 0e0 - 1e-9
                then
                    'precision has values from '
                    || coalesce(cast(min(p.precision) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.precision) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/precision.sql'
            when max(p.recall) > 1e0 + 1e-9 or min(p.recall) < 0e0 - 1e-9
                then
                    'recall has values from '
                    || coalesce(cast(min(p.recall) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.recall) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/recall.sql'
            when max(p.ap) > 1e0 + 1e-9 or min(p.ap) < 0e0 - 1e-9
                then
                    'ap has values from '
                    || coalesce(cast(min(p.ap) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.ap) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/ap.sql'
            when max(p.ndcg) > 1e0 + 1e-9 or min(p.ndcg) < 0e0 - 1e-9
                then
                    'ndcg has values from '
                    || coalesce(cast(min(p.ndcg) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.ndcg) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/ndcg.sql'
            when max(p.rr) > 1e0 + 1e-9 or min(p.rr) < 0e0 - 1e-9
                then
                    'rr has values from '
                    || coalesce(cast(min(p.rr) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.rr) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/rr.sql'
            when max(p.hit) > 1e0 + 1e-9 or min(p.hit) < 0e0 - 1e-9
                then
                    'hit has values from '
                    || coalesce(cast(min(p.hit) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.hit) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/hit.sql'
        end as beyond_bounds
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
),

-- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
unbroken as (
    select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
    from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
),

-- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
unproven as (
    select n.model, n.user_id
    from list_ranks as n
    left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
    where b.returned is null
),

-- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
rank_bands as (
    select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
    from given_recs as r
    inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
    group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
    having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
),

-- one row per row of recs in a band of ranks that may have one twice
doubtful_recs as not materialized (
    select r.*
    from given_recs as r
    inner join rank_bands as b
        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
),

-- one row per list and rank that several items have
repeated_ranks as (
    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
    from doubtful_recs as r
    group by r.model, r.user_id, r.rank
    having min(r.item_id) <> max(r.item_id)
),

-- one row with the reason if the input can't be measured
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
        union all
        select 10 as place, p.message
        from (
            select t.beyond_bounds as message
            from totals as t
            where t.beyond_bounds is not null
            order by t.k asc
            limit 1
        ) as p
        union all
        select 5 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: item '
                || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                || '; list it once, or choose how it counts with duplicates=; '
                || 'or does the table hold several lists of a user, such as one a day? give each its own user_id, or use a column fold' as message
            from hits as h
            where h.copies > 1
            order by h.user_id asc, h.item_id asc
            limit 1
        ) as p
        union all
        select 6 as place, p.message
        from (
            select
                'examples/movietweetings/truth.parquet: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has gain '
                || coalesce(cast(t.gain as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || '; scale the relevance so that gains lie between 1e-6 and 1e9, and raise those below 0 to 0' as message
            from (
                select t.user_id, t.item_id, t.relevance as gain
                from given_truth as t
                where t.relevance > 0
            ) as t
            where t.gain >= 1e9 or (t.gain <> 0 and t.gain < 1e-6)
            order by t.user_id asc, t.item_id asc, message asc
            limit 1
        ) as p
        union all
        select 9 as place, p.message
        from (
            select
                'no user in examples/movietweetings/truth.parquet has a relevant item and is in the mean; check relevance=, relevance_threshold=, users= and no_recs=' as message
            from (select count(*) as users from population as u) as n
            where n.users = 0
        ) as p
        union all
        select 4 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ranks are whole numbers that start at 1' as message
            from given_recs as r
            where
                (
                    r.rank is null
                    or r.rank < 1
                    or r.rank >= 1000000000000000000
                    or (
                        typeof(r.rank) not like '%INT%'
                        and (cast(r.rank as double) % 1 <> 0 or isnan(cast(r.rank as double) + 0 * random()))
                    )
                )
            order by r.user_id asc, r.item_id asc, message asc
            limit 1
        ) as p
        union all
        select 3 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: '
                || coalesce(cast(case when r.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ', rank '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_recs as r
            where r.user_id is null or r.item_id is null
            order by r.user_id asc, r.item_id asc
            limit 1
        ) as p
        union all
        select 4 as place, p.message
        from (
            select
                'examples/movietweetings/truth.parquet: relevance is '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; give every row a number' as message
            from given_truth as t
            where t.relevance is null
            order by t.user_id asc, t.item_id asc, message asc
            limit 1
        ) as p
        union all
        select 6 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: items '
                || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                || ' and '
                || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                || ' have the same rank '
                || coalesce(cast(o.rank as varchar), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                || '; number each list with row_number(), or use rank_by=''score'' and choose how equal scores count with ties=; '
                || 'or are these several lists of a user, such as one a day? give each its own user_id' as message
            from repeated_ranks as o
            order by o.model asc nulls first, o.user_id asc, o.rank asc
            limit 1
        ) as p
        union all
        select 3 as place, p.message
        from (
            select
                'examples/movietweetings/truth.parquet: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_truth as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1
        ) as p
    ) as p
    having count(*) > 0
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc, s.k asc
