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

-- one row per row of segments, with recsql's column names
given_segments as not materialized (
    select
        s.user_id,
        s.rating as segment_1
    from read_parquet('examples/movietweetings/ratings.parquet') as s
),

-- one row per row of train
given_train as not materialized (
    select
        t.user_id,
        t.item_id
    from read_parquet('examples/movietweetings/ratings.parquet') as t
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
    select t.user_id, t.item_id, t.relevance as gain
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

-- one row per recommended item of the lists that count
listed as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from recommended as r
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
        sum(try_cast(1e18 * (h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as hugeint)) / 1e18 as dcg,
        count(*) as hits
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
        h.dcg,
        h.hits,
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
        coalesce(u.hits, 0) as hits,
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
        s.dcg / nullif(s.idcg, 0e0) as ndcg,
        cast(s.hits as double) as hits
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
        case
            when try_cast(v.segment_1 as double) < 4.0e0 then '< 4'
            when try_cast(v.segment_1 as double) < 8.0e0 then '4 to < 8'
            when try_cast(v.segment_1 as double) is not null then '8+'
        end as segment
    from segment_values as v
    union all
    select distinct
        v.user_id,
        2 as slice,
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
    select 1 as slice, cast(null as varchar) as otherwise
    union all
    select 2 as slice, '(none) / 0' as otherwise
),

-- one row per model, cut-off, user, slice and segment of the user: the metrics
per_segment as (
    select
        p.model,
        p.user_id,
        s.slice,
        coalesce(g.segment, s.otherwise) as segment,
        p.k,
        p.ndcg,
        p.hits
    from per_user as p
    cross join slices as s
    left join user_segments as g on g.user_id = p.user_id and g.slice = s.slice
),

-- one row per model (segment, for slices, and group of users, for intervals): the number of lists
list_counts as (
    select
        l.model,
        s.slice,
        coalesce(g.segment, s.otherwise) as segment,
        count(*) as lists
    from lists as l
    cross join slices as s
    left join user_segments as g on g.user_id = l.user_id and g.slice = s.slice
    group by l.model, s.slice, coalesce(g.segment, s.otherwise)
),

-- one row per model, slice and segment: the number of lists, and their share of all
list_segments as (
    select
        n.model,
        n.slice,
        n.segment,
        n.lists,
        cast(n.lists as double) / max(case when n.slice = 0 then n.lists end) over (partition by n.model) as share
    from list_counts as n
),

-- one row per slice and segment with lists of a model
segments_of_lists as (
    select distinct l.slice, l.segment
    from list_segments as l
),

-- a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off
bands as (
    select list(n.k order by n.rank asc) as cutoffs
    from (
        select i.i as rank, min(c.k) as k
        from (select unnest(range(1, 10 + 1)) as i) as i
        inner join cutoffs as c on c.k >= i.i
        group by i.i
    ) as n
),

-- one row per model, item and cut-off: how often the item is in the top k, but below the next smaller cut-off
item_bands as (
    select
        r.model,
        0 as slice,
        cast(null as varchar) as segment,
        r.item_id,
        b.cutoffs[try_cast(r.rank as bigint)] as k,
        count(*) as times
    from listed as r
    cross join bands as b
    group by r.model, r.item_id, b.cutoffs[try_cast(r.rank as bigint)]
    union all
    select
        r.model,
        1 as slice,
        g.segment,
        r.item_id,
        b.cutoffs[try_cast(r.rank as bigint)] as k,
        count(*) as times
    from listed as r
    left join user_segments as g on g.user_id = r.user_id and g.slice = 1
    cross join bands as b
    group by r.model, g.segment, r.item_id, b.cutoffs[try_cast(r.rank as bigint)]
    union all
    select
        r.model,
        2 as slice,
        coalesce(g.segment, '(none) / 0') as segment,
        r.item_id,
        b.cutoffs[try_cast(r.rank as bigint)] as k,
        count(*) as times
    from listed as r
    left join user_segments as g on g.user_id = r.user_id and g.slice = 2
    cross join bands as b
    group by r.model, coalesce(g.segment, '(none) / 0'), r.item_id, b.cutoffs[try_cast(r.rank as bigint)]
),

-- one row per model, cut-off and recommended item: how often it is in the top k
item_counts as (
    select
        b.model,
        b.slice,
        b.segment,
        c.k,
        b.item_id,
        cast(sum(b.times) as bigint) as times
    from item_bands as b
    inner join cutoffs as c on c.k >= b.k
    group by b.model, b.slice, b.segment, c.k, b.item_id
),

-- one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often
item_frequencies as (
    select
        n.model,
        n.slice,
        n.segment,
        n.k,
        n.times,
        n.items,
        sum(n.items) over (partition by n.model, n.slice, n.segment, n.k order by n.times asc) - n.items as below,
        cast(sum(n.times * n.items) over (partition by n.model, n.slice, n.segment, n.k) as double) as total
    from (
        select
            i.model,
            i.slice,
            i.segment,
            i.k,
            i.times,
            count(*) as items
        from item_counts as i
        group by i.model, i.slice, i.segment, i.k, i.times
    ) as n
),

-- one row per model and cut-off: the statistics of the counts of the recommended items
items_at_k as (
    select
        f.model,
        f.slice,
        f.segment,
        f.k,
        sum(try_cast(1e18 * (f.items * (f.times / f.total) * log2(f.total / f.times)) as hugeint)) / 1e18 as information
    from item_frequencies as f
    group by f.model, f.slice, f.segment, f.k
),

-- one row per model and cut-off: the statistics that the metrics of all lists together read
run_at_k as (
    select
        m.model,
        n.slice,
        n.segment,
        c.k,
        i.information
    from models as m
    cross join segments_of_lists as n
    cross join cutoffs as c
    left join items_at_k as i on i.model is not distinct from m.model and i.slice = n.slice and i.segment is not distinct from n.segment and i.k = c.k
),

-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
per_run as (
    select
        s.model,
        s.slice,
        s.segment,
        s.k,
        s.information as entropy,
        cast(null as bigint) as entropy_users
    from run_at_k as s
),

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.slice,
        p.segment,
        p.k,
        sum(try_cast(1e18 * p.ndcg as hugeint)) / 1e18 as ndcg,
        count(*) - count(p.ndcg) as ndcg_missing,
        sum(try_cast(1e18 * p.hits as hugeint)) / 1e18 as hits,
        count(*) - count(p.hits) as hits_missing,
        case
            when max(p.ndcg) > 1e0 + 1e-9 or min(p.ndcg) < 0e0 - 1e-9
                then
                    'ndcg has values from '
                    || coalesce(cast(min(p.ndcg) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.ndcg) as varchar), 'NULL')
                    || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/ndcg.sql'
            when min(p.hits) < 0e0 - 1e-9
                then
                    'hits has values from '
                    || coalesce(cast(min(p.hits) as varchar), 'NULL')
                    || ' to '
                    || coalesce(cast(max(p.hits) as varchar), 'NULL')
                    || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/hits.sql'
        end as beyond_bounds
    from per_segment as p
    group by p.model, p.slice, p.segment, p.k
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
    from headcount as h
),

-- one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment
served as (
    select
        l.model,
        s.slice,
        coalesce(g.segment, s.otherwise) as segment,
        count(*) as lists,
        count(u.user_id) as in_mean
    from lists as l
    left join users as u on u.user_id = l.user_id
    cross join slices as s
    left join user_segments as g on g.user_id = l.user_id and g.slice = s.slice
    group by l.model, s.slice, coalesce(g.segment, s.otherwise)
),

-- one row per model: the number of users in the mean
census as (
    select m.model, s.slice, s.segment, coalesce(n.users, 0) as users, coalesce(v.in_mean, 0) as lists
    from models as m
    cross join segments_in_mean as s
    left join headcount as n on n.model is not distinct from m.model and n.slice = s.slice and n.segment is not distinct from s.segment
    left join served as v on v.model is not distinct from m.model and v.slice = s.slice and v.segment is not distinct from s.segment
),

-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
means as (
    select
        n.model,
        n.slice,
        n.segment,
        n.lists,
        c.k,
        coalesce(t.ndcg, 0e0) / nullif(n.users - coalesce(t.ndcg_missing, 0), 0) as ndcg,
        n.users - coalesce(t.ndcg_missing, 0) as ndcg_users,
        coalesce(t.hits, 0e0) / nullif(n.users - coalesce(t.hits_missing, 0), 0) as hits,
        n.users - coalesce(t.hits_missing, 0) as hits_users
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and t.slice = n.slice and t.segment is not distinct from n.segment and t.k = c.k
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'ndcg' as metric, 'ndcg' as definition
    union all
    select 2 as place, 'hits' as metric, 'hits' as definition
    union all
    select 3 as place, 'entropy' as metric, 'entropy' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        m.slice,
        m.segment,
        a.metric,
        m.k,
        case a.place
            when 1 then m.ndcg
            when 2 then m.hits
        end as value,
        case a.place
            when 1 then m.ndcg_users
            when 2 then m.hits_users
        end as users,
        m.lists,
        a.place,
        a.definition
    from means as m
    cross join asked as a
    where
        case a.place
            when 1 then m.k in (10)
            when 2 then m.k in (10)
        end
    union all
    select
        m.model,
        m.slice,
        m.segment,
        a.metric,
        m.k,
        case a.place
            when 3 then m.entropy
        end as value,
        case a.place
            when 3 then m.entropy_users
        end as users,
        coalesce(v.lists, 0) as lists,
        a.place,
        a.definition
    from per_run as m
    cross join asked as a
    left join list_segments as v on v.model is not distinct from m.model and v.slice = m.slice and v.segment is not distinct from m.segment
    where
        case a.place
            when 3 then m.k in (10)
        end
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
        select 10 as place, p.message
        from (
            select b.message
            from (
                select
                    case
                        when s.place = 3 and (s.value < 0e0 - 1e-9)
                            then
                                'entropy has values from '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ' to '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/entropy.sql'
                    end as message
                from summary as s
            ) as b
            where b.message is not null
            order by b.message asc
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
        select 5 as place, p.message
        from (
            select min(f.message) as message
            from (
                select cast(null as varchar) as message
                where false
                union all
                select
                    'by: rating of user '
                    || coalesce(regexp_replace(cast(v.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' is '
                    || coalesce(cast(v.segment_1 as varchar), 'NULL')
                    || ', which is not a number to cut; correct it, or leave the brackets out' as message
                from segment_values as v
                where v.segment_1 is not null and coalesce(isnan(try_cast(v.segment_1 as double) + 0 * random()), true)
            ) as f
            having count(*) > 0
        ) as p
        union all
        select 5 as place, p.message
        from (
            select min(m.message) as message
            from (
                select
                    coalesce(cast(case f.role when 'recs' then 'examples/movietweetings/recs.parquet' else 'examples/movietweetings/truth.parquet' end as varchar), 'NULL')
                    || ': user '
                    || coalesce(regexp_replace(cast(f.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has two values of '
                    || coalesce(cast(f.name as varchar), 'NULL')
                    || ': '
                    || coalesce(regexp_replace(cast(f.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(f.other as varchar), '^$', ''''''), 'NULL')
                    || '; give every user one, or a table with both as segments=' as message
                from (
                    select
                        cast(null as varchar) as role,
                        cast(null as varchar) as user_id,
                        cast(null as varchar) as name,
                        cast(null as varchar) as one,
                        cast(null as varchar) as other
                    where false
                ) as f
            ) as m
            having count(*) > 0
        ) as p
        union all
        select 8 as place, p.message
        from (
            select
                'by: '
                || coalesce(cast(case n.slice when 1 then 'rating[4,8]' when 2 then 'rating[q4] x train.activity' end as varchar), 'NULL')
                || ' has '
                || coalesce(cast(n.segments as varchar), 'NULL')
                || ' segments, and at most 100 are shown; group its values in a view' as message
            from (
                select g.slice, count(distinct g.segment) as segments
                from (
                    select h.slice, h.segment from headcount as h
                    union all
                    select l.slice, l.segment from list_counts as l
                ) as g
                group by g.slice
            ) as n
            where n.segments > 100
            order by n.slice asc
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

select
    s.model,
    case s.slice when 1 then 'rating[4,8]' when 2 then 'rating[q4] x train.activity' end as slice,
    s.segment,
    s.metric,
    s.k,
    s.value,
    s.users,
    s.lists,
    case
        when s.users is null then coalesce(l.share, 0e0)
        else cast(s.users as double) / nullif(a.users, 0)
    end as share,
    s.definition
from summary as s
left join summary as a on a.model is not distinct from s.model and a.slice = 0 and a.place = s.place and a.k = s.k
left join census as m on m.model is not distinct from s.model and m.slice = s.slice and m.segment is not distinct from s.segment
left join list_segments as l on l.model is not distinct from s.model and l.slice = s.slice and l.segment is not distinct from s.segment
where (select count(error(p.message)) from problems as p) = 0 and (s.slice = 0 or coalesce(m.users, 0) >= 5)
order by
    s.model asc nulls first,
    s.slice asc,
    case s.slice
        when 1 then case s.segment when '< 4' then 1 when '4 to < 8' then 2 when '8+' then 3 end
    end asc nulls last,
    s.segment asc nulls last,
    s.place asc,
    s.k asc
