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
    select 10 as k
),

-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
    group by t.user_id, t.item_id
),

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        count(*) as stated
    from (
        select t.user_id, t.item_id
        from given_truth as t
        where t.relevance >= 8
        union all
        select r.user_id, r.item_id
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
    where t.relevance >= 8
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
    where t.relevance >= 8
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
            and t.relevance >= 8
        union all
        select t.user_id, t.item_id, t.relevance
        from folded as t
    ) as t
),

-- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
users as (
    select f.user_id, f.stated as relevant
    from fingerprints as f
    left join repeaters as p on p.user_id = f.user_id
    where not coalesce(p.repeats, false)
    union all
    select t.user_id, count(*) as relevant
    from folded as t
    group by t.user_id
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
        bit_xor(hash(xor(hash(try_cast(r.rank as bigint)), hash(now())))) as ranks,
        count(*) as returned
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
population as not materialized (
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
        h.dcg,
        u.relevant
    from population as u
    cross join cutoffs as c
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
),

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
        u.k,
        coalesce(u.dcg, 0e0) as dcg
    from users_at_k as u
),

-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        s.dcg
    from at_k as s
),

-- one row per pair of models that is compared; without any, a row for the checks to refuse
model_pairs as (
    select
        row_number() over (order by a.model asc nulls first, b.model asc nulls first) as pair,
        a.model,
        b.model as baseline
    from models as a
    cross join (select count(*) as models from models) as n
    left join models as b on b.model = 'pop'
    where b.model is distinct from a.model or n.models = 1
),

-- one row per model, user in the mean and item of the top k without a row in the user's truth, with its rank
unjudged as (
    select r.model, r.user_id, r.item_id, min(r.rank) as rank
    from recommended as r
    inner join population as u on u.model is not distinct from r.model and u.user_id = r.user_id
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    where r.rank <= 10 and j.item_id is null
    group by r.model, r.user_id, r.item_id
),

-- one row per pair of models and user with a value of both: these values
judged_pairs as (
    select p.pair, a.user_id, a.dcg as value, b.dcg as base_value
    from model_pairs as p
    inner join per_user as a on a.model is not distinct from p.model
    inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id
),

-- one row per pair of models and unjudged item of either list: its ranks, and what it adds to the difference if it is relevant
moves as (
    select
        m.pair,
        m.user_id,
        m.item_id,
        m.rank,
        m.base_rank,
        (
            case when m.rank is null then 0e0 else cast(8 as double) * (1e0 / nullif(log2(m.rank + 1), 0)) end
            - case when m.base_rank is null then 0e0 else cast(8 as double) * (1e0 / nullif(log2(m.base_rank + 1), 0)) end
        ) / n.users as moves
    from (
        select m.pair, m.user_id, m.item_id, max(m.rank) as rank, max(m.base_rank) as base_rank
        from (
            select p.pair, n.user_id, n.item_id, n.rank, null as base_rank
            from model_pairs as p
            inner join unjudged as n on n.model is not distinct from p.model
            union all
            select p.pair, n.user_id, n.item_id, null as rank, n.rank as base_rank
            from model_pairs as p
            inner join unjudged as n on n.model is not distinct from p.baseline
        ) as m
        group by m.pair, m.user_id, m.item_id
    ) as m
    inner join judged_pairs as p on p.pair = m.pair and p.user_id = m.user_id
    inner join (
        select j.pair, cast(count(*) as double) as users
        from judged_pairs as j
        group by j.pair
    ) as n on n.pair = m.pair
),

-- one row per unjudged item, with the pair of models that it can move most, the largest move first
first_moves as (
    select m.pair, m.user_id, m.item_id, m.rank, m.base_rank, m.moves
    from (
        select
            m.*,
            row_number() over (partition by m.user_id, m.item_id order by round(abs(m.moves), 15) desc, m.pair asc) as nth
        from moves as m
    ) as m
    where m.nth = 1
    order by round(abs(m.moves), 15) desc, m.user_id asc, m.item_id asc
    limit 20
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
        select 2 as place, p.message
        from (
            select
                'baseline: '
                || coalesce(cast(m.baseline as varchar), 'NULL')
                || ' is not among the models of examples/movietweetings/recs.parquet; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(m.models, lambda n: jaro_winkler_similarity(lower(n), lower(m.baseline)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m.baseline)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'choose one of '
                || coalesce(cast(array_to_string(m.models, ', ') as varchar), 'NULL') as message
            from (
                select
                    'pop' as baseline,
                    list(n.model order by n.model asc) as models
                from models as n
                where n.model is not null
            ) as m
            left join models as o on o.model = m.baseline
            where o.model is null
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
                where t.relevance >= 8
            ) as t
            where t.gain >= 1e9 or (t.gain <> 0 and t.gain < 1e-6)
            order by t.user_id asc, t.item_id asc, message asc
            limit 1
        ) as p
        union all
        select 1 as place, p.message
        from (
            select
                'grade='
                || coalesce(cast(8 as varchar), 'NULL')
                || ': an item of this relevance is not relevant; give grade= the relevance that an unjudged item would have if it is' as message
            where not (cast(8 as double) >= 8)
        ) as p
        union all
        select 1 as place, p.message
        from (
            select cast(null as varchar) as message
            where false
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
        select 6 as place, p.message
        from (
            select
                'examples/movietweetings/truth.parquet: no row is judged not relevant, as relevance 0 says; where the truth is of clicks, every other item may be relevant, and bounds say nothing; add the items that people judged not relevant' as message
            where not exists (select 1 as one from given_truth as t where not (t.relevance >= 8))
        ) as p
        union all
        select 3 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: '
                || coalesce(cast(coalesce(min(m.model), 'NULL') as varchar), 'NULL')
                || ' is the only model, and a comparison needs two or more; give the lists of another one' as message
            from models as m
            having count(*) < 2
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
        union all
        select 5 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || r.model, '') as varchar), 'NULL')
                || '; list it once, or choose which copy counts with duplicates=''first'' or ''last''' as message
            from recommended as r
            inner join unjudged as n on n.model is not distinct from r.model and n.user_id = r.user_id and n.item_id = r.item_id
            where r.rank <= 10
            group by r.model, r.user_id, r.item_id
            having count(*) > 1
            order by r.user_id asc, r.item_id asc, r.model asc nulls first
            limit 1
        ) as p
    ) as p
    having count(*) > 0
)

select
    m.user_id,
    m.item_id,
    c.model,
    c.baseline,
    cast(m.rank as bigint) as rank,
    cast(m.base_rank as bigint) as baseline_rank,
    m.moves
from first_moves as m
inner join model_pairs as c on c.pair = m.pair
where (select count(error(p.message)) from problems as p) = 0
order by round(abs(m.moves), 15) desc, m.user_id asc, m.item_id asc
