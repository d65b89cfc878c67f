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

-- one row per cut-off
cutoffs as (
    select 10 as k
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

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
        max(r.rank) as last_rank,
        bit_xor(hash(xor(hash(try_cast(r.rank as bigint)), hash(now())))) as ranks,
        count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
),

-- one row per model and user with a list
lists as (
    select n.model, n.user_id, n.returned, n.last_rank
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

-- one row per pair of models and user whom either model has a list for: the lengths of the two lists, cut at k
paired_lists as (
    select
        coalesce(a.pair, b.pair) as pair,
        coalesce(a.user_id, b.user_id) as user_id,
        a.items,
        b.items as base_items,
        least(a.items, b.items) as shorter,
        greatest(a.items, b.items) as longer,
        a.items is not null and b.items is not null as both_there
    from (
        select p.pair, n.user_id, least(n.returned, 10) as items
        from model_pairs as p
        inner join lists as n on n.model is not distinct from p.model
    ) as a
    full outer join (
        select p.pair, n.user_id, least(n.returned, 10) as items
        from model_pairs as p
        inner join lists as n on n.model is not distinct from p.baseline
    ) as b on b.pair = a.pair and b.user_id = a.user_id
),

-- one row per pair of models, user and item in the top k of both lists: its two ranks
common_items as (
    select a.pair, a.user_id, a.item_id, a.rank, b.rank as base_rank
    from (
        select p.pair, r.user_id, r.item_id, r.rank
        from model_pairs as p
        inner join recommended as r on r.model is not distinct from p.model
    ) as a
    inner join (
        select p.pair, r.user_id, r.item_id, r.rank
        from model_pairs as p
        inner join recommended as r on r.model is not distinct from p.baseline
    ) as b on b.pair = a.pair and b.user_id = a.user_id and b.item_id = a.item_id
),

-- one row per depth from 0 to twice the longest list: the sums of p^d / d and of p^d down to it
weights as (
    select
        i.i as depth,
        sum(try_cast(1e18 * (case when i.i > 0 then power(cast(0.9e0 as double), i.i) / i.i else 0e0 end) as hugeint)) over (order by i.i asc) / 1e18 as harmonic,
        sum(try_cast(1e18 * (case when i.i > 0 then power(cast(0.9e0 as double), i.i) else 0e0 end) as hugeint)) over (order by i.i asc) / 1e18 as geometric
    from (select unnest(range(0, (select coalesce(2 * max(least(n.returned, 10)), 0) from lists as n) + 1)) as i) as i
),

-- one row per pair of models and user with a common item: their number, also within the shorter list, the weights above them, and the distinct ranks
agreements as (
    select
        c.pair,
        c.user_id,
        count(*) as items,
        count(case when greatest(c.rank, c.base_rank) <= n.shorter then 1 end) as within,
        sum(try_cast(1e18 * w.harmonic as hugeint)) / 1e18 as above,
        least(
            bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(c.rank as bigint) & 63 as ubigint))),
            bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(c.base_rank as bigint) & 63 as ubigint)))
        ) as rank_bits
    from common_items as c
    inner join paired_lists as n on n.pair = c.pair and n.user_id = c.user_id
    inner join weights as w on w.depth = greatest(c.rank, c.base_rank) - 1
    group by c.pair, c.user_id
),

-- one row per pair of models and user with a list of either: how alike the lists are, NULL without a list of both
pair_overlaps as (
    select
        t.pair,
        t.user_id,
        t.returned,
        t.base_returned,
        case when t.both_there then coalesce(t.items / nullif(cast(10 as double), 0e0), 0e0) end as overlap,
        case
            when t.both_there
                then coalesce(
                    (1 - cast(0.9e0 as double)) / cast(0.9e0 as double) * (
                        t.items * t.bottom_harmonic
                        - t.above
                        + t.within / nullif(t.shorter, 0e0) * (t.further_geometric - t.shorter * t.further_harmonic)
                    )
                    + ((t.items - t.within) / nullif(t.longer, 0e0) + t.within / nullif(t.shorter, 0e0)) * power(cast(0.9e0 as double), t.longer),
                    0e0
                )
        end as rbo
    from (
        select
            n.pair,
            n.user_id,
            n.both_there,
            cast(n.items as double) as returned,
            cast(n.base_items as double) as base_returned,
            cast(n.shorter as double) as shorter,
            cast(n.longer as double) as longer,
            cast(coalesce(c.items, 0) as double) as items,
            cast(coalesce(c.within, 0) as double) as within,
            coalesce(c.above, 0e0) as above,
            b.harmonic as bottom_harmonic,
            b.geometric as bottom_geometric,
            b.harmonic - s.harmonic as further_harmonic,
            b.geometric - s.geometric as further_geometric
        from paired_lists as n
        left join agreements as c on c.pair = n.pair and c.user_id = n.user_id
        left join weights as b on b.depth = n.longer
        left join weights as s on s.depth = n.shorter
    ) as t
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
                || coalesce(regexp_replace(cast(c.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(c.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || p.model, '') as varchar), 'NULL')
                || '; list it once, or choose which copy counts with duplicates=''first'' or ''last''' as message
            from common_items as c
            inner join model_pairs as p on p.pair = c.pair
            inner join agreements as g on g.pair = c.pair and g.user_id = c.user_id and g.rank_bits < g.items
            group by c.pair, p.model, c.user_id, c.item_id
            having count(*) > 1
            order by c.user_id asc, c.item_id asc, p.model asc nulls first
            limit 1
        ) as p
        union all
        select 7 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: the list of user '
                || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || l.model, '') as varchar), 'NULL')
                || ' has '
                || coalesce(cast(l.returned as varchar), 'NULL')
                || ' items, but its last rank is '
                || coalesce(cast(l.last_rank as varchar), 'NULL')
                || '; give each item of a list its own rank' as message
            from lists as l
            where l.last_rank < l.returned
            order by l.user_id asc
            limit 1
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
        select 7 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: rank goes up to '
                || coalesce(cast(n.last_rank as varchar), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(n.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || n.model, '') as varchar), 'NULL')
                || ', whose length is '
                || coalesce(cast(n.returned as varchar), 'NULL')
                || '; number each list from 1 without gaps, with row_number()' as message
            from lists as n
            where n.last_rank > n.returned
            order by n.user_id asc, n.model asc nulls first
            limit 1
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
    ) as p
    having count(*) > 0
)

select
    m.model,
    m.baseline,
    c.k,
    count(o.overlap) as users,
    count(o.user_id) - count(o.overlap) as unpaired,
    sum(try_cast(1e18 * o.overlap as hugeint)) / 1e18 / nullif(count(o.overlap), 0) as overlap,
    sum(try_cast(1e18 * o.rbo as hugeint)) / 1e18 / nullif(count(o.rbo), 0) as rbo
from model_pairs as m
cross join cutoffs as c
left join pair_overlaps as o on o.pair = m.pair
where (select count(error(p.message)) from problems as p) = 0
group by m.pair, m.model, m.baseline, c.k
order by m.pair asc
