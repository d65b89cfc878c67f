with
-- one row per user in the sample; NULL user ids stay in, so that the checks find them
sampled as (
    select distinct a.user_id
    from (
        select g.user_id
        from (
            select
                cast(r.model as varchar) as model,
                r.user_id,
                r.item_id,
                r.rank,
                r.score
            from read_parquet('examples/movietweetings/recs.parquet') as r
        ) as g
        union all
        select g.user_id
        from (
            select
                t.user_id,
                t.item_id,
                cast(t.relevance as double) as relevance,
                cast(null as bigint) as rank
            from read_parquet('examples/movietweetings/truth.parquet') as t
        ) as g
    ) as a
    where a.user_id is null or md5(cast(a.user_id as varchar)) < '19999999'
),

-- one row per row of recs of a user in the sample, with recsql's column names
sampled_recs as (
    select g.*
    from (
        select
            cast(r.model as varchar) as model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score
        from read_parquet('examples/movietweetings/recs.parquet') as r
    ) as g
    inner join sampled as a on a.user_id is not distinct from g.user_id
),

-- one row per row of truth of a user in the sample, with recsql's column names
sampled_truth as (
    select g.*
    from (
        select
            t.user_id,
            t.item_id,
            cast(t.relevance as double) as relevance,
            cast(null as bigint) as rank
        from read_parquet('examples/movietweetings/truth.parquet') as t
    ) as g
    inner join sampled as a on a.user_id is not distinct from g.user_id
),

-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select r.* from sampled_recs as r
),

-- one row per row of truth, with recsql's column names
given_truth as not materialized (
    select t.* from sampled_truth as t
),

-- one row per cut-off
cutoffs as (
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

-- one row per possibly relevant recommended item, with its score
likely_hits as (
    select r.model, r.user_id, r.item_id, r.score
    from (
        select r.model, r.user_id, r.item_id, r.score
        from given_recs as r
        union all
        select null as model, t.user_id, t.item_id, null as score
        from given_truth as t
        where false
    ) as r
    inner join fingerprints as f
        on
            f.user_id = r.user_id
            and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
            and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
),

-- one row per list with a possibly relevant item: the worst score of such items; items with a worse one need no rank
floors as (
    select
        r.model,
        r.user_id,
        min(r.score) as score
    from likely_hits as r
    group by r.model, r.user_id
),

-- one row per row of recs that needs a rank: its score reaches the floor of its list
contenders as not materialized (
    select r.*
    from given_recs as r
    inner join floors as f on f.model is not distinct from r.model and f.user_id = r.user_id and r.score >= f.score
),

-- one row per scored item, ranked by its score
scored as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, r.item_id desc
        ) as rank
    from contenders as r
),

-- one row per row of recs, with its rank
ranked as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from scored as r
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
        (power(2e0, t.relevance) - 1) as gain
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
        sum(try_cast(1e18 * (h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as hugeint)) / 1e18 as dcg
    from hits_in_force as h
    group by h.model, h.user_id, h.k
),

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
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
        h.dcg,
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
        coalesce(u.dcg, 0e0) as dcg,
        coalesce(list_sum(list_slice(i.weights, 1, u.k)) / 1e18, 0e0) as idcg
    from users_at_k as u
    left join ideals as i on i.profile = u.profile and i.relevant = u.relevant
),

-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        s.dcg / nullif(s.idcg, 0e0) as ndcg
    from at_k as s
),

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.k,
        sum(try_cast(1e18 * p.ndcg as hugeint)) / 1e18 as ndcg,
        count(*) - count(p.ndcg) as ndcg_missing,
        case
            when max(p.ndcg) > 1e0 + 1e-9 or min(p.ndcg) < 0e0 - 1e-9
                then
                    'ndcg(gain=exp2, rank_by=score, sample=0.1, ties=item_desc) has values from '
                    || coalesce(cast(min(p.ndcg) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.ndcg) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/ndcg.sql'
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
        coalesce(t.ndcg, 0e0) / nullif(n.users - coalesce(t.ndcg_missing, 0), 0) as ndcg,
        n.users - coalesce(t.ndcg_missing, 0) as ndcg_users
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and t.k = c.k
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'ndcg' as metric, 'ndcg(gain=exp2, rank_by=score, sample=0.1, ties=item_desc)' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 1 then m.ndcg
        end as value,
        case a.place
            when 1 then m.ndcg_users
        end as users,
        m.lists,
        a.place,
        a.definition
    from means as m
    cross join asked as a
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
        select 2 as place, p.message
        from (
            select
                'sample: user_id is '
                || coalesce(cast(typeof(n.user_id) as varchar), 'NULL')
                || ', which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same users' as message
            from (select min(a.user_id) as user_id from sampled as a) as n
            where regexp_matches(typeof(n.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$')
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
                select t.user_id, t.item_id, (power(2e0, t.relevance) - 1) as gain
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
                'no user in examples/movietweetings/truth.parquet has a relevant item and is in the mean; check relevance=, relevance_threshold=, users=, no_recs= or sample=' as message
            from (select count(*) as users from population as u) as n
            where n.users = 0
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
        select 4 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: score is '
                || coalesce(cast(r.score as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every score must be a finite number, not NULL or text' as message
            from given_recs as r
            where
                (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)))
            order by r.user_id asc, r.item_id asc, message asc
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
