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

-- one row per row of train
given_train as not materialized (
    select
        t.user_id,
        t.item_id
    from read_parquet('examples/movietweetings/truth.parquet') as t
),

-- one row per cut-off
cutoffs as (
    select 5 as k
    union all
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

-- one row per recommended item of the lists that count
listed as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from recommended as r
),

-- one row per item in train: its rows, and its users if a metric counts these; NULL if it has none
train_counts as (
    select
        t.item_id,
        nullif(count(t.user_id), 0) as users,
        cast(sum(t.interactions) as bigint) as interactions
    from (
        select t.item_id, t.user_id, count(*) as interactions
        from given_train as t
        where t.item_id is not null
        group by t.item_id, t.user_id
    ) as t
    group by t.item_id
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

-- a single row: the number of rows of train, and of users if a metric counts these
train_totals as (
    select
        count(distinct t.user_id) as users,
        count(*) as interactions
    from given_train as t
    where t.item_id is not null
),

-- one row per item in train: its self-information in bits, and its popularity
item_popularities as (
    select
        t.item_id,
        log2(cast(n.users as double) / t.users) as novelty,
        t.interactions as popularity
    from train_counts as t
    cross join train_totals as n
),

-- one row per model, user and cut-off: the sum of the novelty of its items, the number of items with one, and their mean popularity
list_popularities as (
    select
        r.model,
        r.user_id,
        c.k,
        sum(try_cast(1e18 * (coalesce(i.novelty, (select log2(nullif(cast(n.users as double), 0e0)) from train_totals as n))) as hugeint)) / 1e18 as novelty,
        count(*) as novelty_items,
        cast(sum(coalesce(i.popularity, 0)) as double) / nullif(count(*), 0) as popularity
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    left join item_popularities as i on i.item_id = r.item_id
    group by r.model, r.user_id, c.k
),

-- one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists
popularities_at_k as (
    select
        y.model,
        y.k,
        count(y.novelty) as novelty_lists,
        sum(try_cast(1e18 * (y.novelty / nullif(y.novelty_items, 0)) as hugeint)) / 1e18 as novelty_means,
        count(y.popularity) as popularity_lists,
        sum(try_cast(1e18 * y.popularity as hugeint)) / 1e18 as popularity_means
    from list_popularities as y
    group by y.model, y.k
),

-- one row per model and cut-off: the statistics that the metrics of all lists together read
run_at_k as (
    select
        m.model,
        c.k,
        coalesce(p.novelty_lists, 0) as novelty_lists,
        p.novelty_means,
        coalesce(p.popularity_lists, 0) as popularity_lists,
        p.popularity_means
    from models as m
    cross join cutoffs as c
    left join popularities_at_k as p on p.model is not distinct from m.model and p.k = c.k
),

-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
per_run as (
    select
        s.model,
        s.k,
        s.novelty_means / nullif(s.novelty_lists, 0) as novelty,
        cast(s.novelty_lists as bigint) as novelty_users,
        s.popularity_means / nullif(s.popularity_lists, 0) as popularity,
        cast(s.popularity_lists as bigint) as popularity_users
    from run_at_k as s
),

-- one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment
served as (
    select
        l.model,
        count(*) as lists
    from lists as l
    group by l.model
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'novelty' as metric, 'novelty' as definition
    union all
    select 2 as place, 'popularity' as metric, 'popularity' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 1 then m.novelty
            when 2 then m.popularity
        end as value,
        case a.place
            when 1 then m.novelty_users
            when 2 then m.popularity_users
        end as users,
        coalesce(v.lists, 0) as lists,
        a.place,
        a.definition
    from per_run as m
    cross join asked as a
    left join served as v on v.model is not distinct from m.model
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
            select b.message
            from (
                select
                    case
                        when s.place = 1 and (s.value < 0e0 - 1e-9)
                            then
                                'novelty has values from '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ' to '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/novelty.sql'
                        when s.place = 2 and (s.value < 0e0 - 1e-9)
                            then
                                'popularity has values from '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ' to '
                                || coalesce(cast(s.value as varchar), 'NULL')
                                || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/popularity.sql'
                    end as message
                from summary as s
            ) as b
            where b.message is not null
            order by b.message asc
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
        union all
        select 2 as place, p.message
        from (
            select
                'examples/movietweetings/truth.parquet: no row has a user; novelty and popularity with base=''users'', and tail_share, need a column user_id' as message
            from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
            where n.interactions > 0 and n.users = 0
        ) as p
    ) as p
    having count(*) > 0
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc, s.k asc
