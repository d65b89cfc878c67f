select q.model, q.metric, q.k, q.value, q.users, q.lists, q.definition

from (
    select * from (
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

        -- one row per catalogue item and category
        given_items as not materialized (
            select
                i.item_id,
                i.title as category
            from read_parquet('examples/movietweetings/items.parquet') as i
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

        -- one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one
        category_counts as (
            select
                r.model,
                r.user_id,
                c.k,
                g.category,
                count(g.category) as items
            from listed as r
            inner join cutoffs as c on c.k >= r.rank
            left join item_categories as g on g.item_id = r.item_id
            group by r.model, r.user_id, c.k, g.category
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

        -- one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off
        item_bands as (
            select
                r.model,
                r.item_id,
                b.cutoffs[try_cast(r.rank as bigint)] as k,
                cast(sum(try_cast(1e18 * ((1e0 / nullif(log2(r.rank + 1), 0))) as hugeint)) as decimal(38, 0)) as exposure,
                count(*) as times
            from listed as r
            cross join bands as b
            group by r.model, r.item_id, b.cutoffs[try_cast(r.rank as bigint)]
        ),

        -- one row per model, cut-off and recommended item: how often it is in the top k
        item_counts as (
            select
                b.model,
                c.k,
                b.item_id,
                sum(b.exposure) as exposure,
                cast(sum(b.times) as bigint) as times
            from item_bands as b
            inner join cutoffs as c on c.k >= b.k
            group by b.model, c.k, b.item_id
        ),

        -- one row per item of the catalogue
        catalog as (
            select distinct i.item_id
            from given_items as i
            where i.item_id is not null
        ),

        -- one row per model, user and cut-off: the number of items in the top k of the list
        list_sizes as (
            select r.model, r.user_id, c.k, count(*) as items
            from listed as r
            inner join cutoffs as c on c.k >= r.rank
            group by r.model, r.user_id, c.k
        ),

        -- one row per model, user, cut-off and recommended item: its share of the top k of the list
        list_shares as not materialized (
            select r.model, r.user_id, n.k, r.item_id, 1e0 / n.items as weight
            from listed as r
            inner join list_sizes as n on n.model is not distinct from r.model and n.user_id = r.user_id and n.k >= r.rank
        ),

        -- one row per model, cut-off and recommended item: the sum of its shares of the lists, in units of 1e-18
        item_weights as (
            select
                y.model,
                y.k,
                y.item_id,
                cast(sum(try_cast(1e18 * y.weight as hugeint)) as decimal(38, 0)) as weight
            from list_shares as y
            group by y.model, y.k, y.item_id
        ),

        -- one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often
        item_frequencies as (
            select
                n.model,
                n.k,
                n.times,
                n.items,
                cast(n.weight as hugeint) / 1e18 as weight,
                n.catalog_items,
                sum(n.catalog_items) over (partition by n.model, n.k order by n.times asc) - n.catalog_items as catalog_below,
                cast(sum(n.times * n.catalog_items) over (partition by n.model, n.k) as double) as catalog_total,
                sum(n.items) over (partition by n.model, n.k order by n.times asc) - n.items as below,
                cast(sum(n.times * n.items) over (partition by n.model, n.k) as double) as total
            from (
                select
                    i.model,
                    i.k,
                    i.times,
                    count(g.item_id) as catalog_items,
                    sum(w.weight) as weight,
                    count(*) as items
                from item_counts as i
                inner join item_weights as w on w.model is not distinct from i.model and w.k = i.k and w.item_id = i.item_id
                left join catalog as g on g.item_id = i.item_id
                group by i.model, i.k, i.times
            ) as n
        ),

        -- one row per model and cut-off: the statistics of the counts of the recommended items
        items_at_k as (
            select
                f.model,
                f.k,
                sum(f.catalog_items) as catalog_items,
                sum(try_cast(1e18 * (f.weight * log2(f.total / f.times)) as hugeint)) / 1e18 / nullif(sum(try_cast(1e18 * f.weight as hugeint)) / 1e18, 0e0) as list_information,
                cast(round(sum(try_cast(1e18 * f.weight as hugeint)) / 1e18) as bigint) as lists
            from item_frequencies as f
            group by f.model, f.k
        ),

        -- one row per model, cut-off and recommended item (and group of users that is left out): its exposure, and its place in ascending order of exposure
        item_exposures as (
            select
                i.model,
                i.k,
                cast(i.exposure as hugeint) / 1e18 as exposure,
                g.item_id is not null as is_of_catalog,
                row_number() over (partition by i.model, i.k, g.item_id is not null order by i.exposure asc, i.item_id asc) as catalog_place,
                row_number() over (partition by i.model, i.k order by i.exposure asc, i.item_id asc) as place
            from item_counts as i
            left join catalog as g on g.item_id = i.item_id
        ),

        -- one row per model and cut-off: the statistics of the exposure of the recommended items
        exposures_at_k as (
            select
                x.model,
                x.k,
                sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure end) as hugeint)) / 1e18 as catalog_exposure,
                sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure * x.catalog_place end) as hugeint)) / 1e18 as catalog_exposure_place_sum
            from item_exposures as x
            group by x.model, x.k
        ),

        -- one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing
        category_entropies as (
            select
                n.model,
                n.user_id,
                n.k,
                sum(try_cast(1e18 * (case
                    when n.items > 0 then (n.items + cast(0 as double)) / n.total * log2(1e0 / ((n.items + cast(0 as double)) / n.total))
                    when n.total > 0 then 0e0
                end) as hugeint)) / 1e18
                + max(case when cast(0 as double) > 0 then (n.categories - n.seen) * cast(0 as double) / n.total * log2(1e0 / (cast(0 as double) / n.total)) else 0e0 end) as entropy
            from (
                select
                    g.model,
                    g.user_id,
                    g.k,
                    g.items,
                    a.categories,
                    count(g.category) over (partition by g.model, g.user_id, g.k) as seen,
                    sum(g.items) over (partition by g.model, g.user_id, g.k) + a.categories * cast(0 as double) as total
                from category_counts as g
                cross join (select count(distinct i.category) as categories from item_categories as i) as a
            ) as n
            group by n.model, n.user_id, n.k
        ),

        -- one row per model and cut-off: the statistics of the categories in the lists
        categories_at_k as (
            select
                y.model,
                y.k,
                sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 as category_information,
                count(y.entropy) as category_lists
            from category_entropies as y
            group by y.model, y.k
        ),

        -- one row per model and cut-off: the statistics that the metrics of all lists together read
        run_at_k as (
            select
                m.model,
                c.k,
                coalesce(i.catalog_items, 0) as catalog_items,
                i.list_information,
                coalesce(i.lists, 0) as lists,
                e.catalog_exposure,
                e.catalog_exposure_place_sum,
                q.category_information,
                coalesce(q.category_lists, 0) as category_lists,
                cast((select count(*) from catalog as g) as double) as catalog_size
            from models as m
            cross join cutoffs as c
            left join items_at_k as i on i.model is not distinct from m.model and i.k = c.k
            left join exposures_at_k as e on e.model is not distinct from m.model and e.k = c.k
            left join categories_at_k as q on q.model is not distinct from m.model and q.k = c.k
        ),

        -- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
        per_run as (
            select
                s.model,
                s.k,
                (2 * s.catalog_exposure_place_sum / nullif(cast(s.catalog_exposure as double), 0e0) + s.catalog_size - 2 * s.catalog_items - 1) / nullif(s.catalog_size, 0) as gini,
                cast(null as bigint) as gini_users,
                s.list_information as entropy,
                cast(s.lists as bigint) as entropy_users,
                s.category_information / nullif(s.category_lists, 0) as entropy_2,
                cast(s.category_lists as bigint) as entropy_2_users
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
            select 1 as place, 'gini(weight=exposure)' as metric, 'gini(weight=exposure)' as definition
            union all
            select 2 as place, 'entropy(scope=list)' as metric, 'entropy(scope=list)' as definition
            union all
            select 3 as place, 'entropy(scope=category)' as metric, 'entropy(scope=category)' as definition
        ),

        -- one row per model, metric and cut-off
        summary as (
            select
                m.model,
                a.metric,
                m.k,
                case a.place
                    when 1 then m.gini
                    when 2 then m.entropy
                    when 3 then m.entropy_2
                end as value,
                case a.place
                    when 1 then m.gini_users
                    when 2 then m.entropy_users
                    when 3 then m.entropy_2_users
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
                        (1, 'gini(weight=exposure)', 'gini', 0e0, 1e0, '0 to 1'),
                        (2, 'entropy(scope=list)', 'entropy', 0e0, null, 'of 0 and above'),
                        (3, 'entropy(scope=category)', 'entropy', 0e0, null, 'of 0 and above')
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

        select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
        from summary as s
        where (select count(error(p.message)) from problems as p) = 0
        order by s.model asc nulls first, s.place asc, s.k asc
    ) as q1
    union all
    select * from (
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

        -- one row per recommended item of the lists that count
        listed as not materialized (
            select r.model, r.user_id, r.item_id, r.rank
            from recommended as r
        ),

        -- a single row: the number of rows of train, and of users if a metric counts these
        train_totals as (
            select
                count(distinct t.user_id) as users,
                count(*) as interactions
            from given_train as t
            where t.item_id is not null
        ),

        -- one row per item in train: its self-information in bits
        item_novelties as (
            select
                t.item_id,
                log2(cast(n.users as double) / t.users) as novelty
            from train_counts as t
            cross join train_totals as n
        ),

        -- one row per model, user and cut-off: the sums over the items of the list
        lists_at_k as (
            select
                r.model,
                r.user_id,
                c.k,
                sum(try_cast(1e18 * (coalesce(i.novelty, (select log2(nullif(cast(n.users as double), 0e0)) from train_totals as n))) as hugeint)) / 1e18 as novelty,
                count(*) as novelty_items,
                cast(sum(coalesce(p.interactions, 0)) as double) as popularity,
                count(*) as popularity_items
            from listed as r
            inner join cutoffs as c on c.k >= r.rank
            left join item_novelties as i on i.item_id = r.item_id
            left join train_counts as p on p.item_id = r.item_id
            group by r.model, r.user_id, c.k
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

        -- one row per model and user that a policy may count
        candidates as (
            select l.model, l.user_id
            from lists as l
        ),

        -- one row per model and user that the policies count
        members as (
            select c.model, c.user_id
            from candidates as c
            where c.user_id is not null
        ),

        -- one row per model and user in the mean, with the number of relevant items
        population as not materialized (
            select
                m.model,
                m.user_id,
                u.relevant
            from members as m
            left join users as u on u.user_id = m.user_id
        ),

        -- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
        users_at_k as (
            select
                u.model,
                u.user_id,
                c.k,
                u.relevant
            from population as u
            cross join cutoffs as c
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

        -- one row per group of items: the share of exposure that awrf compares its own with
        group_targets as (
            select t.item_group, cast(t.parts as double) / cast(sum(t.parts) over () as double) as share
            from (
                select g.item_group, cast(sum(try_cast(1e18 * g.part as hugeint)) as decimal(38, 0)) as parts
                from grouped_items as g
                where g.item_group is not null
                group by g.item_group
            ) as t
        ),

        -- one row per model, user, cut-off and group of the list's items: its share of the exposure, and what it should have
        list_exposures as (
            select
                e.model,
                e.user_id,
                e.k,
                cast(e.exposure as double) / cast(sum(e.exposure) over (partition by e.model, e.user_id, e.k) as double) as share,
                coalesce(t.share, 0e0) as target
            from (
                select
                    r.model,
                    r.user_id,
                    c.k,
                    g.item_group,
                    cast(sum(try_cast(1e18 * ((1e0 / nullif(log2(r.rank + 1), 0)) * g.part) as hugeint)) as decimal(38, 0)) as exposure
                from listed as r
                inner join cutoffs as c on c.k >= r.rank
                inner join grouped_items as g on g.item_id = r.item_id
                where g.item_group is not null
                group by r.model, r.user_id, c.k, g.item_group
            ) as e
            left join group_targets as t on t.item_group = e.item_group
        ),

        -- one row per model, user and cut-off: the sums over the groups of the list's items
        list_exposures_at_k as (
            select
                e.model,
                e.user_id,
                e.k,
                sum(try_cast(1e18 * (case when e.share > 0e0 then e.share * log2(2e0 * e.share / (e.share + e.target)) else 0e0 end) as hugeint)) / 1e18
                + sum(try_cast(1e18 * (case when e.target > 0e0 then e.target * log2(2e0 * e.target / (e.target + e.share)) else 0e0 end) as hugeint)) / 1e18 as exposure_divergence,
                sum(try_cast(1e18 * e.target as hugeint)) / 1e18 as targeted
            from list_exposures as e
            group by e.model, e.user_id, e.k
        ),

        -- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
        at_k as (
            select
                u.model,
                u.user_id,
                u.k,
                b.novelty,
                b.novelty_items,
                b.popularity,
                b.popularity_items,
                x.exposure_divergence,
                x.targeted,
                coalesce(u.relevant, 0) as relevant
            from users_at_k as u
            left join lists_at_k as b on b.model is not distinct from u.model and b.user_id = u.user_id and b.k = u.k
            left join list_exposures_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k
        ),

        -- one row per model, cut-off and user or group of alike users: the metrics
        per_user as (
            select
                s.model,
                s.user_id,
                s.k,
                s.novelty / cast(nullif(s.novelty_items, 0) as double) as novelty,
                s.popularity / cast(nullif(s.popularity_items, 0) as double) as popularity,
                case when (s.exposure_divergence + 1e0 - s.targeted) / 2e0 < 0e0 then 1e0 else 1e0 - (s.exposure_divergence + 1e0 - s.targeted) / 2e0 end as awrf
            from at_k as s
        ),

        -- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
        totals as (
            select
                p.model,
                p.k,
                sum(try_cast(1e18 * p.novelty as hugeint)) / 1e18 as novelty,
                count(*) - count(p.novelty) as novelty_missing,
                sum(try_cast(1e18 * p.popularity as hugeint)) / 1e18 as popularity,
                count(*) - count(p.popularity) as popularity_missing,
                sum(try_cast(1e18 * p.awrf as hugeint)) / 1e18 as awrf,
                count(*) - count(p.awrf) as awrf_missing,
                case
                    when min(p.novelty) < 0e0 - 1e-9
                        then
                            'novelty has values from '
                            || coalesce(cast(min(p.novelty) as varchar), 'NULL')
                            || ' to '
                            || coalesce(cast(max(p.novelty) as varchar), 'NULL')
                            || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/novelty.sql'
                    when min(p.popularity) < 0e0 - 1e-9
                        then
                            'popularity has values from '
                            || coalesce(cast(min(p.popularity) as varchar), 'NULL')
                            || ' to '
                            || coalesce(cast(max(p.popularity) as varchar), 'NULL')
                            || ', beyond its bounds of 0 and above; correct the expression or the bounds in sql/metrics/popularity.sql'
                    when max(p.awrf) > 1e0 + 1e-9 or min(p.awrf) < 0e0 - 1e-9
                        then
                            'awrf has values from '
                            || coalesce(cast(min(p.awrf) as varchar), 'NULL')
                            || ' to '
                            || coalesce(cast(max(p.awrf) as varchar), 'NULL')
                            || ', beyond its bounds 0 to 1; correct the expression or the bounds in sql/metrics/awrf.sql'
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
                count(*) as in_mean
            from lists as l
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
                coalesce(t.novelty, 0e0) / nullif(n.users - coalesce(t.novelty_missing, 0), 0) as novelty,
                n.users - coalesce(t.novelty_missing, 0) as novelty_users,
                coalesce(t.popularity, 0e0) / nullif(n.users - coalesce(t.popularity_missing, 0), 0) as popularity,
                n.users - coalesce(t.popularity_missing, 0) as popularity_users,
                coalesce(t.awrf, 0e0) / nullif(n.users - coalesce(t.awrf_missing, 0), 0) as awrf,
                n.users - coalesce(t.awrf_missing, 0) as awrf_users
            from census as n
            cross join cutoffs as c
            left join totals as t on t.model is not distinct from n.model and t.k = c.k
        ),

        -- one row per requested metric, with its place in the request
        asked as (
            select 1 as place, 'novelty' as metric, 'novelty' as definition
            union all
            select 2 as place, 'popularity' as metric, 'popularity' as definition
            union all
            select 3 as place, 'awrf' as metric, 'awrf' as definition
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
                    when 3 then m.awrf
                end as value,
                case a.place
                    when 1 then m.novelty_users
                    when 2 then m.popularity_users
                    when 3 then m.awrf_users
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
                select 5 as place, p.message
                from (
                    select
                        'examples/movietweetings/recs.parquet: '
                        || coalesce(cast(n.found as varchar), 'NULL')
                        || ' of '
                        || coalesce(cast(n.listed as varchar), 'NULL')
                        || ' listed items'
                        || coalesce(cast(coalesce(' of model ' || n.model, '') as varchar), 'NULL')
                        || ' are not in examples/movietweetings/truth.parquet; check how the ids are written, or leave metrics of train out' as message
                    from (
                        select
                            r.model, count(*) as listed,
                            count(case when i.item_id is null then 1 end) as found,
                            avg(case when i.item_id is null then 1e0 else 0e0 end) as share
                        from listed as r
                        left join (select distinct g.item_id from train_counts as g) as i on i.item_id = r.item_id
                        where r.rank <= 10
                        group by r.model
                    ) as n
                    where n.share > 5e-1 and exists (select g.item_id from train_counts as g)
                    order by n.share desc, n.model asc nulls first
                    limit 1
                ) as p
                union all
                select 2 as place, p.message
                from (
                    select
                        'examples/movietweetings/truth.parquet: no row has a user; tail_share, propensity_power and novelty or popularity with base=''users'' need user_id' as message
                    from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
                    where n.interactions > 0 and n.users = 0
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
    ) as q2
) as q
order by
    q.model asc nulls first,
    case q.metric
        when 'gini(weight=exposure)' then 1
        when 'entropy(scope=list)' then 2
        when 'entropy(scope=category)' then 3
        when 'novelty' then 4
        when 'popularity' then 5
        when 'awrf' then 6
    end asc,
    q.k asc
