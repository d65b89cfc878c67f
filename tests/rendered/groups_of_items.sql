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

-- one row per catalogue item and category
given_items as not materialized (
    select
        i.item_id,
        i.title as category
    from read_parquet('examples/movietweetings/items.parquet') as i
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

-- one row per recommended item of the lists that count
listed as not materialized (
    select r.model, r.user_id, r.item_id, r.rank
    from recommended as r
),

-- one row per item and category of the item
item_categories as (
    select distinct i.item_id, i.category
    from given_items as i
    where i.item_id is not null and cast(i.category as varchar) <> '(no genres listed)'
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

-- one row per item and group of items: the part of the item that counts there, and an equal part of it
grouped_items as (
    select
        g.item_id,
        cast(g.category as varchar) as item_group,
        1e0 / count(*) over (partition by g.item_id) as part,
        1e0 / count(*) over (partition by g.item_id) as equal_part
    from item_categories as g
),

-- one row per group of items: its items, and the items that have a group
group_sizes as (
    select
        g.item_group,
        sum(try_cast(1e18 * g.part as hugeint)) / 1e18 as items,
        cast(sum(cast(sum(try_cast(1e18 * (case when g.item_group is not null then g.equal_part end) as hugeint)) as decimal(38, 0))) over () as hugeint) / 1e18 as all_items
    from grouped_items as g
    group by g.item_group
),

-- one row per user in train and group of items: how many items of the group the user has there
train_groups as (
    select t.user_id, g.item_group, sum(try_cast(1e18 * g.part as hugeint)) / 1e18 as items
    from (
        select distinct t.user_id, t.item_id
        from given_train as t
        where t.user_id is not null
    ) as t
    inner join grouped_items as g on g.item_id = t.item_id
    group by t.user_id, g.item_group
),

-- one row per model, user, cut-off and group of items, of each kind: what counts there of the list, of all that could be shown, and of the truth
group_rows as not materialized (
    select
        r.model,
        r.user_id,
        c.k,
        g.item_group,
        g.part as shown,
        0e0 as pairs,
        case when t.item_id is not null then g.part else 0e0 end as hits,
        0e0 as relevant,
        (1e0 / nullif(log2(r.rank + 1), 0)) * g.part as exposure,
        (1e0 / nullif(log2(r.rank + 1), 0)) * g.equal_part as all_exposure
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    inner join grouped_items as g on g.item_id = r.item_id
    left join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    union all
    select
        l.model,
        l.user_id,
        c.k,
        s.item_group,
        0e0 as shown,
        s.items - coalesce(t.items, 0e0) as pairs,
        0e0 as hits,
        0e0 as relevant,
        0e0 as exposure,
        0e0 as all_exposure
    from lists as l
    cross join cutoffs as c
    cross join group_sizes as s
    left join train_groups as t on t.user_id = l.user_id and t.item_group is not distinct from s.item_group
    union all
    select
        l.model,
        l.user_id,
        c.k,
        g.item_group,
        0e0 as shown,
        0e0 as pairs,
        0e0 as hits,
        g.part as relevant,
        0e0 as exposure,
        0e0 as all_exposure
    from lists as l
    cross join cutoffs as c
    inner join relevant as t on t.user_id = l.user_id
    inner join grouped_items as g on g.item_id = t.item_id
),

-- one row per model, cut-off and group of items: the sums of what counts there, in units of 1e-18
group_sums as (
    select
        y.model,
        y.k,
        y.item_group,
        cast(sum(try_cast(1e18 * y.shown as hugeint)) as decimal(38, 0)) as shown,
        cast(sum(try_cast(1e18 * y.pairs as hugeint)) as decimal(38, 0)) as pairs,
        cast(sum(try_cast(1e18 * y.hits as hugeint)) as decimal(38, 0)) as hits,
        cast(sum(try_cast(1e18 * y.relevant as hugeint)) as decimal(38, 0)) as relevant,
        cast(sum(try_cast(1e18 * y.exposure as hugeint)) as decimal(38, 0)) as exposure,
        cast(sum(try_cast(1e18 * y.all_exposure as hugeint)) as decimal(38, 0)) as all_exposure
    from group_rows as y
    group by y.model, y.k, y.item_group
),

-- one row per model, cut-off and group of items (and group of users that is left out): its rates, as multiples of those of all groups together, and their means
group_rates as (
    select
        x.model,
        x.k,
        x.shown_rate,
        cast(sum(try_cast(1e18 * x.shown_rate as hugeint)) over (partition by x.model, x.k) as hugeint) / 1e18
        / nullif(count(x.shown_rate) over (partition by x.model, x.k), 0) as mean_shown_rate,
        x.hit_rate,
        cast(sum(try_cast(1e18 * x.hit_rate as hugeint)) over (partition by x.model, x.k) as hugeint) / 1e18
        / nullif(count(x.hit_rate) over (partition by x.model, x.k), 0) as mean_hit_rate
    from (
        select
            d.model,
            d.k,
            cast(d.shown as double) / nullif(cast(d.pairs as double), 0e0)
            * cast(sum(d.pairs) over (partition by d.model, d.k) as double)
            / nullif(cast(sum(d.shown) over (partition by d.model, d.k) as double), 0e0) as shown_rate,
            case
                when d.item_group is not null
                    then
                        cast(d.hits as double) / nullif(cast(d.relevant as double), 0e0)
                        * cast(sum(d.relevant) over (partition by d.model, d.k) as double)
                        / nullif(cast(sum(d.hits) over (partition by d.model, d.k) as double), 0e0)
            end as hit_rate
        from group_sums as d
    ) as x
),

-- one row per model and cut-off: the statistics of how far apart the groups of items are
groups_at_k as (
    select
        x.model,
        x.k,
        count(x.hit_rate) as hit_groups,
        max(x.mean_hit_rate) as hit_rate,
        sum(try_cast(1e18 * ((x.hit_rate - x.mean_hit_rate) * (x.hit_rate - x.mean_hit_rate)) as hugeint)) / 1e18 as hit_squares,
        count(x.shown_rate) as shown_groups,
        max(x.mean_shown_rate) as shown_rate,
        sum(try_cast(1e18 * ((x.shown_rate - x.mean_shown_rate) * (x.shown_rate - x.mean_shown_rate)) as hugeint)) / 1e18 as shown_squares
    from group_rates as x
    group by x.model, x.k
),

-- one row per model, cut-off and group of items: the statistics that the metrics of each group read
groups_of_run as (
    select
        m.model,
        c.k,
        x.item_group,
        coalesce(cast(y.exposure as hugeint) / 1e18, 0e0) / nullif(cast(sum(y.all_exposure) over (partition by m.model, c.k) as hugeint) / 1e18, 0e0) as exposure_share
    from models as m
    cross join cutoffs as c
    inner join group_sizes as x on x.item_group is not null
    left join group_sums as y on y.model is not distinct from m.model and y.k = c.k and y.item_group = x.item_group
),

-- one row per model, cut-off and group of items: the metrics
per_group as (
    select
        s.model,
        s.k,
        s.item_group,
        s.exposure_share,
        cast(null as bigint) as exposure_share_users
    from groups_of_run as s
),

-- one row per model and cut-off: the statistics that the metrics of all lists together read
run_at_k as (
    select
        m.model,
        c.k,
        coalesce(r.hit_groups, 0) as hit_groups,
        r.hit_rate,
        r.hit_squares,
        coalesce(r.shown_groups, 0) as shown_groups,
        r.shown_rate,
        r.shown_squares
    from models as m
    cross join cutoffs as c
    left join groups_at_k as r on r.model is not distinct from m.model and r.k = c.k
),

-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
per_run as (
    select
        s.model,
        s.k,
        case when s.shown_groups > 1 then sqrt(s.shown_squares / s.shown_groups) / nullif(s.shown_rate, 0e0) end as rsp,
        cast(null as bigint) as rsp_users,
        case when s.hit_groups > 1 then sqrt(s.hit_squares / s.hit_groups) / nullif(s.hit_rate, 0e0) end as reo,
        cast(null as bigint) as reo_users
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
    select 1 as place, 'rsp' as metric, 'rsp' as definition
    union all
    select 2 as place, 'reo' as metric, 'reo' as definition
    union all
    select 3 as place, 'exposure_share' as metric, 'exposure_share' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 1 then m.rsp
            when 2 then m.reo
        end as value,
        case a.place
            when 1 then m.rsp_users
            when 2 then m.reo_users
        end as users,
        coalesce(v.lists, 0) as lists,
        cast(null as varchar) as item_group,
        a.place,
        a.definition
    from per_run as m
    cross join asked as a
    left join served as v on v.model is not distinct from m.model
    where
        case a.place
            when 1 then m.k in (10)
            when 2 then m.k in (10)
        end
    union all
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 3 then m.exposure_share
        end as value,
        case a.place
            when 3 then m.exposure_share_users
        end as users,
        coalesce(v.lists, 0) as lists,
        m.item_group,
        a.place,
        a.definition
    from per_group as m
    cross join asked as a
    left join served as v on v.model is not distinct from m.model
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
            select
                coalesce(cast(b.metric as varchar), 'NULL')
                || ' has values from '
                || coalesce(cast(s.value as varchar), 'NULL')
                || ' to '
                || coalesce(cast(s.value as varchar), 'NULL')
                || ', beyond its bounds '
                || coalesce(cast(b.bounds as varchar), 'NULL')
                || '; correct the expression or the bounds in sql/metrics/'
                || coalesce(cast(b.file as varchar), 'NULL')
                || '.sql' as message
            from (
                values
                (1, 'rsp', 'rsp', 0e0, null, 'of 0 and above'),
                (2, 'reo', 'reo', 0e0, null, 'of 0 and above')
            ) as b (place, metric, file, lowest, highest, bounds)
            inner join summary as s on s.place = b.place
            where s.value < b.lowest - 1e-9 or s.value > b.highest + 1e-9
            order by b.place asc
            limit 1
        ) as p
        union all
        select 2 as place, p.message
        from (
            select
                'examples/movietweetings/items.parquet: no item has a category; give it a column category, with one category per row or a LIST' as message
            from (select count(*) as categories from item_categories as i) as n
            where n.categories = 0
        ) as p
        union all
        select 5 as place, p.message
        from (
            select
                'examples/movietweetings/recs.parquet: '
                || coalesce(cast(n.found as varchar), 'NULL')
                || ' of '
                || coalesce(cast(n.listed as varchar), 'NULL')
                || ' listed items'
                || coalesce(cast(coalesce(' of model ' || n.model, '') as varchar), 'NULL')
                || ' are not in examples/movietweetings/items.parquet; check how the ids are written, or add the items there' as message
            from (
                select
                    r.model, count(*) as listed,
                    count(case when i.item_id is null then 1 end) as found,
                    avg(case when i.item_id is null then 1e0 else 0e0 end) as share
                from listed as r
                left join (select distinct g.item_id from given_items as g) as i on i.item_id = r.item_id
                where r.rank <= 10
                group by r.model
            ) as n
            where n.share > 5e-1 and exists (select g.item_id from given_items as g)
            order by n.share desc, n.model asc nulls first
            limit 1
        ) as p
        union all
        select 3 as place, p.message
        from (
            select
                'examples/movietweetings/items.parquet: title has several categories in one text, such as '
                || coalesce(cast(n.example as varchar), 'NULL')
                || '; category_separator='''
                || coalesce(cast(n.separator as varchar), 'NULL')
                || ''' splits them' as message
            from (
                select
                    '|' as separator,
                    min(case when p.category like '%|%' then p.category end) as example
                from (
                    select t.category, unnest(list_transform(string_split(cast(t.category as varchar), '|'), lambda e: trim(e))) as piece
                    from (
                        select distinct cast(i.category as varchar) as category
                        from given_items as i
                        where i.item_id is not null and cast(i.category as varchar) <> '(no genres listed)'
                    ) as t
                ) as p
                having
                    2 * count(distinct case when p.category like '%|%' then p.category end) > count(distinct p.category)
                    and count(distinct p.piece) < count(*)
                union all
                select
                    ', ' as separator,
                    min(case when p.category like '%, %' then p.category end) as example
                from (
                    select t.category, unnest(list_transform(string_split(cast(t.category as varchar), ', '), lambda e: trim(e))) as piece
                    from (
                        select distinct cast(i.category as varchar) as category
                        from given_items as i
                        where i.item_id is not null and cast(i.category as varchar) <> '(no genres listed)'
                    ) as t
                ) as p
                having
                    2 * count(distinct case when p.category like '%, %' then p.category end) > count(distinct p.category)
                    and count(distinct p.piece) < count(*)
                union all
                select
                    ';' as separator,
                    min(case when p.category like '%;%' then p.category end) as example
                from (
                    select t.category, unnest(list_transform(string_split(cast(t.category as varchar), ';'), lambda e: trim(e))) as piece
                    from (
                        select distinct cast(i.category as varchar) as category
                        from given_items as i
                        where i.item_id is not null and cast(i.category as varchar) <> '(no genres listed)'
                    ) as t
                ) as p
                having
                    2 * count(distinct case when p.category like '%;%' then p.category end) > count(distinct p.category)
                    and count(distinct p.piece) < count(*)

            ) as n
            order by message asc
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

select
    s.model,
    case when s.item_group is not null then 'category' else cast(null as varchar) end as slice,
    s.item_group as segment,
    s.metric,
    s.k,
    s.value,
    s.users,
    s.lists,
    case when s.item_group is null then 1e0 end as share,
    s.definition
from summary as s
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.item_group asc nulls first, s.place asc, s.k asc
