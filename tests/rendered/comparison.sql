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
        where t.relevance > 0
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
        1e0 as any_hit
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
        u.relevant

    from hits_at_k as h
    inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id
),

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
        u.k,
        coalesce(u.any_hit, 0e0) as any_hit
    from users_at_k as u
),

-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        s.any_hit as hit
    from at_k as s
),

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.k,
        cast(sum(try_cast(1e18 * p.hit as hugeint)) as decimal(38, 0)) as hit,
        cast(sum(try_cast(1e18 * (p.hit * p.hit) as hugeint)) as decimal(38, 0)) as hit_squares,
        count(case when p.hit > 5e-13 then 1 end) as hit_others,
        count(*) - count(p.hit) as hit_missing,
        case
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
        count(u.user_id) as in_mean,
        count(u.user_id) as with_truth,
        max(l.returned) as longest
    from lists as l
    left join users as u on u.user_id = l.user_id
    group by l.model
),

-- one row per model: users with truth, lists, lists without truth, length of the longest list; of the users in the table users, if given
report as (
    select
        m.model,
        (select count(*) from users as u) as users_with_truth,
        coalesce(v.lists, 0) as lists,
        coalesce(v.lists - v.with_truth, 0) as lists_without_truth,
        coalesce(v.longest, 0) as longest_list
    from models as m
    left join served as v on v.model is not distinct from m.model
),

-- one row per model: the number of users in the mean
census as (
    select m.model, coalesce(n.users, 0) as users
    from models as m
    left join headcount as n on n.model is not distinct from m.model
    left join served as v on v.model is not distinct from m.model
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'hit' as metric, 'hit' as definition
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

-- one row per pair of models and cut-off: over the users with a hit in both lists, the products, and who is ahead
shared as (
    select
        p.pair,
        a.k,
        count(case when a.hit > 5e-13 then 1 end) as hit_others,
        count(case when b.hit > 5e-13 then 1 end) as hit_base_others,
        count(case when a.hit - b.hit > 5e-13 then 1 end) as hit_wins,
        count(case when b.hit - a.hit > 5e-13 then 1 end) as hit_losses,
        cast(sum(try_cast(1e18 * (a.hit * b.hit) as hugeint)) as decimal(38, 0)) as hit_products
    from model_pairs as p
    inner join per_user as a on a.model is not distinct from p.model
    inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id and b.k = a.k
    group by p.pair, a.k
),

-- one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18
paired_sums as (
    select
        p.pair,
        c.k,
        n.users as hit_users,
        cast(0 as bigint) as hit_unpaired,
        coalesce(a.hit_others, 0) - coalesce(s.hit_others, 0) + coalesce(s.hit_wins, 0) as hit_wins,
        coalesce(b.hit_others, 0) - coalesce(s.hit_base_others, 0) + coalesce(s.hit_losses, 0) as hit_losses,
        coalesce(a.hit, 0) as hit,
        coalesce(b.hit, 0) as hit_base,
        coalesce(a.hit_squares, 0) as hit_squares,
        coalesce(b.hit_squares, 0) as hit_base_squares,
        coalesce(s.hit_products, 0) as hit_products
    from model_pairs as p
    cross join cutoffs as c
    inner join census as n on n.model is not distinct from p.model
    left join totals as a on a.model is not distinct from p.model and a.k = c.k
    left join totals as b on b.model is not distinct from p.baseline and b.k = c.k
    left join shared as s on s.pair = p.pair and s.k = c.k
),

-- one row per pair of models, metric and cut-off: the sums for the test and the interval
paired as (
    select
        p.model,
        p.baseline,
        case a.place
            when 1 then 0
        end as place,
        a.metric,
        a.definition,
        s.k,
        case a.place
            when 1 then s.hit_users
        end as users,
        case a.place
            when 1 then s.hit_unpaired
        end as unpaired,
        case a.place
            when 1 then s.hit_wins
        end as wins,
        case a.place
            when 1 then s.hit_losses
        end as losses,
        case a.place
            when 1 then s.hit
        end as sum,
        case a.place
            when 1 then s.hit_base
        end as base_sum,
        case a.place
            when 1 then s.hit_squares
        end as squares,
        case a.place
            when 1 then s.hit_base_squares
        end as base_squares,
        case a.place
            when 1 then s.hit_products
        end as products
    from paired_sums as s
    inner join model_pairs as p on p.pair = s.pair
    cross join asked as a
),

-- one row per pair of models with shared users: the number of users with truth who have a list of both
shared_lists as (
    select p.pair, count(*) as lists
    from model_pairs as p
    inner join lists as a on a.model is not distinct from p.model
    inner join lists as b on b.model is not distinct from p.baseline and b.user_id = a.user_id
    inner join users as u on u.user_id = a.user_id
    group by p.pair
),

-- one row per pair of models: the counts of the report of both, and the number of users with truth who have a list of both
pair_reports as (
    select
        p.model,
        p.baseline,
        n.users_with_truth,
        n.lists as all_lists,
        n.lists_without_truth,
        n.longest_list,
        b.users_with_truth as base_users_with_truth,
        b.lists as base_all_lists,
        b.lists_without_truth as base_lists_without_truth,
        b.longest_list as base_longest_list,
        coalesce(s.lists, 0) as shared_lists
    from model_pairs as p
    inner join report as n on n.model is not distinct from p.model
    inner join report as b on b.model is not distinct from p.baseline
    left join shared_lists as s on s.pair = p.pair
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
        select 9 as place, p.message
        from (
            select
                'no user in examples/movietweetings/truth.parquet has a relevant item and is in the mean; check relevance=, relevance_threshold=, users= and no_recs=' as message
            from (select count(*) as users from population as u) as n
            where n.users = 0
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
    ) as p
    having count(*) > 0
),

-- one row per pair of models, metric and cut-off: the sums for the test and the interval
given_paired as (
    select
        s.model,
        s.baseline,
        s.place,
        s.metric,
        s.definition,
        s.k,
        s.users,
        s.unpaired,
        s.wins,
        s.losses,
        s.sum,
        s.base_sum,
        s.squares,
        s.base_squares,
        s.products,
        n.users_with_truth,
        n.all_lists,
        n.lists_without_truth,
        n.longest_list,
        n.base_users_with_truth,
        n.base_all_lists,
        n.base_lists_without_truth,
        n.base_longest_list,
        n.shared_lists
    from paired as s
    left join pair_reports as n on n.model is not distinct from s.model and n.baseline is not distinct from s.baseline
    where (select count(error(p.message)) from problems as p) = 0
),

-- one row per pair of models, metric and cut-off: the means, their difference, its standard error and t
contrasts as (
    select
        v.*,
        row_number() over (
            order by
                v.model asc nulls first,
                v.baseline asc nulls first,
                v.place asc,
                v.k asc
        ) as number,
        abs(v.beyond) / nullif(v.std_error, 0e0) as t
    from (
        select
            s.*,
            s.users - 1e0 as df,
            s.difference + cast(0 as double) as beyond,
            sqrt(s.variance / nullif(s.users - 1e0, 0e0)) as std_error
        from (
            select
                m.*,
                case
                    when m.users = 0 then null
                    when m.wins + m.losses = 0 then 0e0
                    when m.moment - m.difference * m.difference <= greatest(1e-12 * m.moment, 8e-16 * m.base_moment + 2e-18)
                        then case when m.wins + m.losses = m.users then 0e0 end
                    else m.moment - m.difference * m.difference
                end as variance
            from (
                select
                    p.model,
                    p.baseline,
                    p.place,
                    p.metric,
                    p.definition,
                    p.k,
                    p.users,
                    p.unpaired,
                    p.wins,
                    p.losses,
                    p.users_with_truth,
                    p.all_lists,
                    p.lists_without_truth,
                    p.longest_list,
                    p.base_users_with_truth,
                    p.base_all_lists,
                    p.base_lists_without_truth,
                    p.base_longest_list,
                    p.shared_lists,
                    cast(p.sum as hugeint) / 1e18 / nullif(p.users, 0) as value,
                    cast(p.base_sum as hugeint) / 1e18 / nullif(p.users, 0) as baseline_value,
                    cast((p.sum - p.base_sum) as hugeint) / 1e18 / nullif(p.users, 0) as difference,
                    cast((p.squares + p.base_squares - p.products - p.products) as hugeint) / 1e18 / nullif(p.users, 0) as moment,
                    cast(p.base_squares as hugeint) / 1e18 / nullif(p.users, 0) as base_moment,
                    cast((p.products - p.base_squares) as hugeint) / 1e18 / nullif(p.users, 0) as cross_moment
                from given_paired as p
            ) as m
        ) as s
    ) as v
),

-- one row per pair of models, metric and cut-off: the two-sided tail of the t distribution
t_tails as (
    with sides as (
        select
            s.*,
            s.df / 2e0 as half,
            s.t * s.t as square,
            s.t * s.t * (s.df + 5e0) > 3e0 * (s.df + s.t * s.t) as is_far,
            s.t * s.t / s.df as ratio,
            48e0 * (s.df - 5e-1) * (s.df - 5e-1) as scale
        from (
            select c.number, c.df, c.t
            from contrasts as c
            where c.t is not null
        ) as s
    ),

    arguments as (
        select
            s.*,
            case when s.is_far then s.half else 5e-1 end as a,
            case when s.is_far then 5e-1 else s.half end as b,
            case when s.is_far then s.df else s.square end / (s.df + s.square) as place,
            case
                when s.t > 0e0
                    then exp(
                        s.half * ln(s.df / (s.df + s.square)) + 5e-1 * ln(s.square / (s.df + s.square))
                        + 5e-1 * ln((s.half + 1e1)) - 1e0 / (8e0 * (s.half + 1e1)) + 1e0 / (192e0 * power((s.half + 1e1), 3)) - 1e0 / (640e0 * power((s.half + 1e1), 5))
                        + 17e0 / (14336e0 * power((s.half + 1e1), 7)) - 31e0 / (18432e0 * power((s.half + 1e1), 9)) - 5.723649429247001e-1
                        + ln(
                            (s.half + 0e0) / (s.half + 0.5e0)
                            * (s.half + 1e0) / (s.half + 1.5e0)
                            * (s.half + 2e0) / (s.half + 2.5e0)
                            * (s.half + 3e0) / (s.half + 3.5e0)
                            * (s.half + 4e0) / (s.half + 4.5e0)
                            * (s.half + 5e0) / (s.half + 5.5e0)
                            * (s.half + 6e0) / (s.half + 6.5e0)
                            * (s.half + 7e0) / (s.half + 7.5e0)
                            * (s.half + 8e0) / (s.half + 8.5e0)
                            * (s.half + 9e0) / (s.half + 9.5e0)
                        )
                    )
            end as front,
            (s.df - 5e-1) * case
                when s.ratio < 1e-4 then s.ratio * (1e0 - s.ratio * (5e-1 - s.ratio / 3e0))
                else ln(1e0 + s.ratio)
            end as h
        from sides as s
    ),

    fractions as (
        select
            s.*,
            case when s.df <= 4e2 then s.front / (s.a * (1e0 - (s.a + s.b) * s.place / ((s.a + 1e0) * list_reduce(
                list_prepend(1e0, list_transform(range(40, 0, -1), lambda i: cast(i as double))),
                lambda f, m: 1e0 + m * (s.b - m) * s.place / ((s.a + 2e0 * m - 1e0) * (s.a + 2e0 * m))
                / (1e0 - (s.a + m) * (s.a + s.b + m) * s.place / ((s.a + 2e0 * m) * (s.a + 2e0 * m + 1e0)) / f)
            )))) end as beta,
            (
                ((((-4e-1 * s.h - 3.3e0) * s.h - 24e0) * s.h - 85.5e0) / (8e-1 * s.h * s.h + 100e0 + s.scale) + s.h + 3e0)
                / s.scale + 1e0
            ) * sqrt(s.h) as z
        from arguments as s
    )

    select
        s.*,
        case
            when s.t = 0e0 then 1e0
            when s.df > 4e2
                then 2e0 * case
                    when s.z < 7.07106781186547e0
                        then exp(-s.z * s.z / 2e0) * list_reduce(
                            [
                                3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1,
                                1.12079291497871e2, 2.21213596169931e2, 2.20206867912376e2
                            ],
                            lambda f, c: f * s.z + c
                        ) / list_reduce(
                            [
                                8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
                                2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2
                            ],
                            lambda f, c: f * s.z + c
                        )
                    when s.z < 3.8e1
                        then exp(-s.z * s.z / 2e0) / 2.5066282746310002e0
                        / (s.z + 1e0 / (s.z + 2e0 / (s.z + 3e0 / (s.z + 4e0 / (s.z + 5e0 / (s.z + 6e0 / (s.z + 7e0 / (s.z + 8e0 / (s.z + 6.5e-1)))))))))
                    else 0e0
                end
            when s.is_far then s.beta
            else 1e0 - s.beta
        end as p
    from fractions as s
),

-- one row per pair of models, metric and cut-off, with the p-value
p_values as (
    select
        s.*,
        case
            when s.std_error = 0e0 and s.beyond = 0e0 then 1e0
            when s.std_error = 0e0 and s.wins + s.losses > 0 then null
            else t.p
        end as p
    from contrasts as s
    left join t_tails as t on t.number = s.number
),

-- one row per pair of models, metric and cut-off, with the p-value corrected for the number of tests, and the tail beyond the interval
corrections as (
    select
        p.*,
        case
            when p.p is not null
                then least(1e0, max(p.p * (p.tests - p.turn + 1)) over (order by p.turn asc rows between unbounded preceding and current row))
        end as p_adjusted,
        (1e0 - 0.95e0) as tail
    from (
        select
            t.*,
            count(t.p) over () as tests,
            row_number() over (order by t.p asc nulls last, t.number asc) as turn
        from p_values as t
    ) as p
),

-- one row per number of degrees of freedom: the tail beyond the interval
degrees as (
    select distinct c.tail, c.df
    from corrections as c
    where c.df > 0e0
    union all
    select 2e0 * (1e0 - 0.8e0) as tail, cast(null as double) as df
),

-- one row per number of degrees of freedom: the quantile of the t distribution
quantiles as (
    with logarithms as (
        select
            s.tail,
            s.df,
            s.half,
            case when s.tail > 1.5e-1 then 1.80625e-1 - power(5e-1 - s.tail / 2e0, 2) else sqrt(-ln(s.tail / 2e0)) end as r,
            5e-1 * ln((s.half + 1e1)) - 1e0 / (8e0 * (s.half + 1e1)) + 1e0 / (192e0 * power((s.half + 1e1), 3)) - 1e0 / (640e0 * power((s.half + 1e1), 5))
            + 17e0 / (14336e0 * power((s.half + 1e1), 7)) - 31e0 / (18432e0 * power((s.half + 1e1), 9)) - 5.723649429247001e-1
            + ln(
                (s.half + 0e0) / (s.half + 0.5e0)
                * (s.half + 1e0) / (s.half + 1.5e0)
                * (s.half + 2e0) / (s.half + 2.5e0)
                * (s.half + 3e0) / (s.half + 3.5e0)
                * (s.half + 4e0) / (s.half + 4.5e0)
                * (s.half + 5e0) / (s.half + 5.5e0)
                * (s.half + 6e0) / (s.half + 6.5e0)
                * (s.half + 7e0) / (s.half + 7.5e0)
                * (s.half + 8e0) / (s.half + 8.5e0)
                * (s.half + 9e0) / (s.half + 9.5e0)
            ) as constant
        from (select d.tail, d.df, d.df / 2e0 as half from degrees as d) as s
    ),

    normal as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.tail / 2e0 > 7.5e-2
                    then (5e-1 - s.tail / 2e0) * list_reduce(
                        [
                            2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
                            1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0
                        ],
                        lambda f, c: f * s.r + c
                    ) / list_reduce(
                        [
                            5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
                            5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1e0
                        ],
                        lambda f, c: f * s.r + c
                    )
                when s.r <= 5e0
                    then list_reduce(
                        [
                            7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                            3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    ) / list_reduce(
                        [
                            1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                            6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    )
                else
                    list_reduce(
                        [
                            2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                            2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    ) / list_reduce(
                        [
                            2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                            1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    )
            end as z
        from logarithms as s
    ),

    newton_0 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df is null then s.z
                when s.df < 1e1 and s.tail < 1e-1
                    then sqrt(s.df * (power(s.tail * s.df / (2e0 * exp(s.constant)), -2e0 / s.df) - 1e0))
                else
                    s.z + (power(s.z, 3) + s.z) / (4e0 * s.df)
                    + (5e0 * power(s.z, 5) + 16e0 * power(s.z, 3) + 3e0 * s.z) / (96e0 * power(s.df, 2))
                    + (3e0 * power(s.z, 7) + 19e0 * power(s.z, 5) + 17e0 * power(s.z, 3) - 15e0 * s.z) / (384e0 * power(s.df, 3))
                    + (79e0 * power(s.z, 9) + 776e0 * power(s.z, 7) + 1482e0 * power(s.z, 5) - 1920e0 * power(s.z, 3) - 945e0 * s.z)
                    / (92160e0 * power(s.df, 4))
            end as quantile
        from normal as s
    ),

    mills_0 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_0 as n) as s
    ),

    newton_1 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_0 as s
    ),

    mills_1 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_1 as n) as s
    ),

    newton_2 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_1 as s
    ),

    mills_2 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_2 as n) as s
    ),

    newton_3 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_2 as s
    )

    select s.tail, s.df, s.quantile
    from newton_3 as s
),

-- one row per pair of models, metric and cut-off: the interval of the difference, the effect size, and the smallest difference that the test would find
paired_intervals as (
    select
        s.*,
        s.difference - s.margin as low,
        s.difference + s.margin as high,
        s.difference / nullif(s.deviation, 0e0) as effect,
        s.margin + s.power_quantile * nullif(s.std_error, 0e0) as detectable,
        s.relative - s.relative_margin as relative_low,
        s.relative + s.relative_margin as relative_high
    from (
        select
            r.*,
            r.quantile * nullif(r.std_error, 0e0) as margin,
            r.quantile * sqrt(
                greatest(r.moment - 2e0 * r.relative * r.cross_moment + r.relative * r.relative * r.base_moment, 0e0)
                / nullif(r.users - 1e0, 0e0)
            ) / nullif(r.baseline_value, 0e0) as relative_margin
        from (
            select
                c.*,
                q.quantile,
                z.quantile as power_quantile,
                sqrt(c.variance * c.users / nullif(c.users - 1e0, 0e0)) as deviation,
                case
                    when c.users > 1 and c.baseline_value > 0e0 and (c.users + 8e0) * c.baseline_value * c.baseline_value >= 9e0 * c.base_moment
                        then c.difference / c.baseline_value
                end as relative
            from corrections as c
            left join quantiles as q on q.df = c.df and q.tail = c.tail
            left join quantiles as z on z.df is null
        ) as r
    ) as s
),

-- one row per warning about input that can be measured: the check, and its sentence
warnings as (
    select 'coverage_differs' as finding, w.message
    from (
        select
            coalesce(cast(c.model as varchar), 'NULL')
            || ' and '
            || coalesce(cast(c.baseline as varchar), 'NULL')
            || coalesce(cast(case when c.pairs > 1 then ' (and ' || cast(c.pairs - 1 as varchar) || ' more)' else '' end as varchar), 'NULL')
            || ' have lists for different users: '
            || coalesce(cast(c.own as varchar), 'NULL')
            || ' and '
            || coalesce(cast(c.others as varchar), 'NULL')
            || ' of the '
            || coalesce(cast(c.users as varchar), 'NULL')
            || ' with truth, '
            || coalesce(cast(c.shared as varchar), 'NULL')
            || ' in common; check that no list is missing, or compare on these with users=''intersection''' as message
        from (
            select
                p.*,
                count(*) over () as pairs,
                row_number() over (order by p.own + p.others - 2 * p.shared desc nulls last, p.model asc nulls first, p.baseline asc nulls first) as place
            from (
                select
                    p.model,
                    p.baseline,
                    max(p.users_with_truth) as users,
                    max(p.all_lists - p.lists_without_truth) as own,
                    max(p.base_all_lists - p.base_lists_without_truth) as others,
                    max(p.shared_lists) as shared
                from given_paired as p
                group by p.model, p.baseline
            ) as p
            where p.own + p.others - 2 * p.shared > 1e-2 * (p.own + p.others - p.shared)
        ) as c
        where c.place = 1
    ) as w
)

select
    c.model,
    c.baseline,
    c.metric,
    c.k,
    c.users,
    c.unpaired,
    c.value,
    c.baseline_value,
    c.difference,
    c.low,
    c.high,
    c.std_error,
    c.p,
    c.p_adjusted,
    case when c.p is not null then c.tests end as tests,
    case
        when c.users > 0 and c.wins + c.losses = 0 then 'same'
        when c.difference is null or c.p is null and not coalesce(c.std_error = 0e0 and least(c.wins, c.losses) = 0 and c.users >= 10, false) then 'untested'
        when not c.p_adjusted < round(1e0 - 0.95e0, 12) then 'inconclusive'
        when c.beyond > 0e0 then 'higher'
        else 'lower'
    end as verdict,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses,
    c.effect,
    c.detectable,
    c.relative,
    c.relative_low,
    c.relative_high,
    c.users < 50 or c.wins + c.losses < 20 as few,
    c.definition,
    c.users_with_truth,
    c.all_lists,
    c.lists_without_truth,
    c.longest_list,
    c.base_users_with_truth,
    c.base_all_lists,
    c.base_lists_without_truth,
    c.base_longest_list,
    c.shared_lists,
    (select w.message from warnings as w) as warning
from paired_intervals as c
order by c.number asc
