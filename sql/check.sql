-- recsql 0.1.0: what is odd about the tables of an evaluation, for DuckDB 1.5 or newer.
--
--     .read recsql.sql
--     .read check.sql
--     from recsql.check('recs.parquet', 'truth.parquet', k := 10);
--
-- The macro stands beside the others of its schema, and reads some of them, so load it after them. A database has both.
-- Made with recsql macros --check.
--
-- Contents:
--
--     check: what is odd about the tables, the worst first
--
-- Each finding is a macro of its own, named after it. It reads the steps of check: one row per list, per user, per item.
-- recsql.check in Python has more findings, of further tables, values and options: below_popularity, chunks_unknown, cold_items, cold_users,
-- ends_included, gain_overflow, no_common_documents, perfect_score, popularity_order, read_differs, recs_not_in_items, recs_seen_in_train, refused,
-- spans_split, spans_unreachable, time_units_differ, time_zones_differ, truth_before_train, truth_in_train, truth_not_in_items.

begin transaction;

-- one row if the truth has a column that is likely the relevance, and no relevance: its name, the number of its rows, and that of values of 0 or less
create or replace macro recsql_steps.likely_relevance_of(truth) as table
select t.name, count(*) as stated, count(case when t.found <= 0 then 1 end) as low
from (
    select
        case
            when recsql_steps.is_number(t.score) then 'score'
            when recsql_steps.is_number(t.grade) then 'grade'
            when recsql_steps.is_number(t.label) then 'label'
            when recsql_steps.is_number(t.rel) then 'rel'
            when recsql_steps.is_number(t.gain) then 'gain'
            when recsql_steps.is_number(t.rating) then 'rating'
            when recsql_steps.is_number(t.stars) then 'stars'
        end as name,
        case
            when recsql_steps.is_number(t.score) then try_cast(cast(t.score as varchar) as double)
            when recsql_steps.is_number(t.grade) then try_cast(cast(t.grade as varchar) as double)
            when recsql_steps.is_number(t.label) then try_cast(cast(t.label as varchar) as double)
            when recsql_steps.is_number(t.rel) then try_cast(cast(t.rel as varchar) as double)
            when recsql_steps.is_number(t.gain) then try_cast(cast(t.gain as varchar) as double)
            when recsql_steps.is_number(t.rating) then try_cast(cast(t.rating as varchar) as double)
            when recsql_steps.is_number(t.stars) then try_cast(cast(t.stars as varchar) as double)
        end as found
    from (
        from query_table(recsql_steps.relation(truth))
        union all by name
        select null as relevance, null as score, null as grade, null as label, null as rel, null as gain, null as rating, null as stars
        where false
    ) as t
    where typeof(t.relevance) = '"NULL"'
) as t
where t.name is not null
group by t.name;

-- one row per table, column of ids and id that stands for none, such as NULL or nan: the number of its rows, and of all
create or replace macro recsql_steps.odd_ids_of(given_recs, given_truth, recs, truth) as table
select
    'recs' as role,
    recs as table_name,
    'user_id' as column_name,
    cast(t.user_id as varchar) as id,
    count(*) as events,
    (select count(*) from query_table(given_recs) as t) as total
from query_table(given_recs) as t
where t.user_id is null or cast(t.user_id as varchar) in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')
group by t.user_id
union all
select
    'recs' as role,
    recs as table_name,
    'item_id' as column_name,
    cast(t.item_id as varchar) as id,
    count(*) as events,
    (select count(*) from query_table(given_recs) as t) as total
from query_table(given_recs) as t
where t.item_id is null or cast(t.item_id as varchar) in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')
group by t.item_id
union all
select
    'truth' as role,
    truth as table_name,
    'user_id' as column_name,
    cast(t.user_id as varchar) as id,
    count(*) as events,
    (select count(*) from query_table(given_truth) as t) as total
from query_table(given_truth) as t
where t.user_id is null or cast(t.user_id as varchar) in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')
group by t.user_id
union all
select
    'truth' as role,
    truth as table_name,
    'item_id' as column_name,
    cast(t.item_id as varchar) as id,
    count(*) as events,
    (select count(*) from query_table(given_truth) as t) as total
from query_table(given_truth) as t
where t.item_id is null or cast(t.item_id as varchar) in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')
group by t.item_id;

-- one row per list: its length, the ends of its ranks and scores, and a hash of its top k
create or replace macro recsql_steps.list_facts_of(list_items, k) as table
select
    r.model, r.user_id,
    count(*) as items,
    min(r.place) as first_place,
    max(r.place) as last_place,
    count(r.score) as scores,
    max(r.score) as best,
    min(r.score) as least,
    max(case when r.place = 1 then r.score end) as first_score,
    max(case when r.place = coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000) then r.score end) as score_at_k,
    max(case when r.place = coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000) + 1 then r.score end) as score_below_k,
    max(r.by_score) as by_score,
    nullif(
        bit_xor(case when r.place <= coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000) then hash(hash(r.item_id,
            cast(r.place as bigint))) end), 0
    ) as top
from query_table(list_items) as r
group by r.model, r.user_id;

-- one row per list that has an item several times in the top k: the first such item that is relevant, and the first other one
create or replace macro recsql_steps.list_copies_of(list_items, given_truth, k) as table
select
    r.model, r.user_id,
    min(case when r.is_relevant = 1 then r.item_id end) as relevant,
    min(case when r.is_relevant = 0 then r.item_id end) as other
from (
    select r.model, r.user_id, r.item_id, case when t.user_id is null then 0 else 1 end as is_relevant
    from (
        select r.model, r.user_id, r.item_id
        from query_table(list_items) as r
        where r.place <= coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000)
        group by r.model, r.user_id, r.item_id
        having count(*) > 1
    ) as r
    left join (select t.user_id, t.item_id from query_table(given_truth) as t where t.relevance > 0) as t on t.user_id = r.user_id and t.item_id =
        r.item_id
) as r
group by r.model, r.user_id;

-- one row per user id, NULL among them: the number of its rows in each table, and of those that are relevant
create or replace macro recsql_steps.user_rows_of(list_facts, given_truth) as table
select
    i.id,
    cast(sum(i.relevant) as bigint) as relevant_rows,
    cast(sum(case when i.role = 'recs' then i.events else 0 end) as bigint) as recs_rows,
    cast(sum(case when i.role = 'truth' then i.events else 0 end) as bigint) as truth_rows
from (
    select t.user_id as id, 'recs' as role, cast(sum(t.items) as bigint) as events, cast(0 as bigint) as relevant
    from query_table(list_facts) as t
    group by t.user_id
    union all
    select
        t.user_id as id,
        'truth' as role,
        count(*) as events,
        count(case when t.relevance > 0 then 1 end) as relevant
    from query_table(given_truth) as t
    group by t.user_id
) as i
group by i.id;

-- one row per item id, NULL among them: the number of its rows in each table, and of those that are relevant
create or replace macro recsql_steps.item_rows_of(given_recs, given_truth) as table
select
    i.id,
    cast(sum(i.relevant) as bigint) as relevant_rows,
    cast(sum(case when i.role = 'recs' then i.events else 0 end) as bigint) as recs_rows,
    cast(sum(case when i.role = 'truth' then i.events else 0 end) as bigint) as truth_rows
from (
    select
        t.item_id as id,
        'recs' as role,
        count(*) as events,
        cast(0 as bigint) as relevant
    from query_table(given_recs) as t
    group by t.item_id
    union all
    select
        t.item_id as id,
        'truth' as role,
        count(*) as events,
        count(case when t.relevance > 0 then 1 end) as relevant
    from query_table(given_truth) as t
    group by t.item_id
) as i
group by i.id;

-- one row per model with lists, if some row of the truth is not relevant: the mean share of judged items, and the highest one
create or replace macro recsql_steps.judged_means_of(judged_lists, judged) as table
select
    m.*,
    max(m.share) over () as best_share,
    first_value(m.model) over (order by m.share desc nulls last, m.model asc nulls first) as best_model,
    round(max(m.share) over () - m.share, 12) as gap
from (
    select
        l.model,
        cast(sum(l.items) as bigint) as items,
        cast(sum(l.judged) as bigint) as judged,
        recsql_steps.exact_sum(cast(l.judged as double) / l.items) / count(*) as share
    from query_table(judged_lists) as l
    group by l.model
) as m
where exists (select 1 as one from query_table(judged) as j where not (j.relevance > 0));

-- the lists rank a sample of items that has all relevant items of each user
create or replace macro recsql_steps.candidates_sampled_of(list_items, watched, list_facts, watched_hits, recs) as table
select
    'warning' as severity,
    'candidates_sampled' as finding,
    recs as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'rank all items, or give the sample to a file made with recsql macros --candidates candidates -o FILE, and say so beside the values' as advice
from (
    select
        f.model,
        case
            when count(w.user_id) >= 20
                and min(f.items) = max(f.items)
                and min(f.items) >= 20
                and min(f.items) < (select count(distinct r.item_id) from query_table(list_items) as r inner join query_table(watched) as w on
                    w.user_id = r.user_id)
                and sum(h.hits) = sum(w.relevant_rows)
                then count(*)
        end as found,
        count(*) as total,
        cast(max(f.items) as varchar) || ' items in each list' as example
    from query_table(list_facts) as f
    left join query_table(watched) as w on w.user_id = f.user_id
    left join query_table(watched_hits) as h on h.model is not distinct from f.model and h.user_id = f.user_id
    group by f.model
) as f
where f.found > 0;

-- all items of a list have the same score
create or replace macro recsql_steps.constant_scores_of(list_facts, recs) as table
select
    case when f.found > 0.1 * f.total then 'warning' end as severity,
    'constant_scores' as finding,
    recs as table_name,
    'score' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'look at what the model predicts for one of these users, or average over all orders with recsql macros --ties expected -o FILE' as advice
from (
    select
        f.model,
        count(case when f.best = f.least then 1 end) as found,
        count(*) as total,
        min(case when f.best = f.least then f.user_id end) as example
    from query_table(list_facts) as f
    where f.scores > 1
    group by f.model
) as f
where f.found > 0;

-- users have a list of another model, but not of this one
create or replace macro recsql_steps.coverage_differs_of(list_models, user_ids, list_facts, recs) as table
select
    case when f.found > 0.01 * f.total then 'warning' when f.found > 0 * f.total then 'note' end as severity,
    'coverage_differs' as finding,
    recs as table_name,
    'user_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'check that no list is missing; if that is how it is, compare on the users of all models: recsql macros --users intersection -o FILE' as advice
from (
    select
        m.model,
        count(case when f.user_id is null then 1 end) as found,
        count(*) as total,
        min(case when f.user_id is null then u.id end) as example
    from query_table(list_models) as m
    inner join query_table(user_ids) as u on u.in_recs = 1 and u.in_truth = 1
    left join query_table(list_facts) as f on f.model is not distinct from m.model and f.user_id = u.id
    group by m.model
) as f
where f.found > 0;

-- an item is several times in the top k of one list
create or replace macro recsql_steps.duplicate_items_of(list_facts, list_copies, recs) as table
select
    case when f.refused = 1 then 'error' when true then 'warning' end as severity,
    'duplicate_items' as finding,
    recs as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'list each item once, or say how copies count: with recsql macros --duplicates first -o FILE, the best rank alone does' as advice
from (
    select
        f.model,
        count(c.relevant) as found,
        count(*) as total,
        min(cast(c.user_id as varchar) || ', ' || cast(c.relevant as varchar)) as example,
        1 as refused
    from query_table(list_facts) as f
    left join query_table(list_copies) as c on c.model is not distinct from f.model and c.user_id = f.user_id
    group by f.model
    union all
    select
        f.model,
        count(c.other) as found,
        count(*) as total,
        min(cast(c.user_id as varchar) || ', ' || cast(c.other as varchar)) as example,
        0 as refused
    from query_table(list_facts) as f
    left join query_table(list_copies) as c on c.model is not distinct from f.model and c.user_id = f.user_id
    group by f.model
) as f
where f.found > 0;

-- a user and an item are in the truth several times
create or replace macro recsql_steps.duplicate_truth_of(given_truth, truth_copies, truth) as table
select
    case when f.differing > 0 then 'warning' when true then 'note' end as severity,
    'duplicate_truth' as finding,
    truth as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'pairs' as unit,
    cast(f.example as varchar) as example,
    'keep one row per user and item, for example with max(relevance) and group by' as advice
from (
    select
        cast(null as varchar) as model,
        count(*) as found,
        (select count(*) from query_table(given_truth) as t) - sum(c.stated - 1) as total,
        min(cast(c.user_id as varchar) || ', ' || cast(c.item_id as varchar)) as example,
        count(case when c.least < c.most then 1 end) as differing
    from query_table(truth_copies) as c
) as f
where f.found > 0;

-- the truth has fewer than 200 users with relevant items
create or replace macro recsql_steps.few_users_of(user_ids, truth) as table
select
    'warning' as severity,
    'few_users' as finding,
    truth as table_name,
    'user_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'use recsql.evaluate_with_interval, and compare models with recsql.compare' as advice
from (
    select
        cast(null as varchar) as model,
        case when count(*) < 200 then count(*) end as found,
        cast(null as varchar) as total,
        min(u.id) as example
    from query_table(user_ids) as u
    where u.in_truth = 1
) as f
where f.found > 0;

-- of interleaved lists, one team has the first place more often than a fair coin gives it
create or replace macro recsql_steps.first_places_differ_of(list_facts, list_models, recs) as table
select
    'error' as severity,
    'first_places_differ' as finding,
    recs as table_name,
    'rank' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'let a coin choose for each session which team begins, and take only sessions that were drafted so' as advice
from (
    select
        n.model,
        case when case
            when n.firsts = n.sessions then exp(-n.sessions * 6.931471805599453e-1)
            else
                exp(
                    case
                        when n.sessions >= 16
                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * n.sessions * n.sessions)) / (n.sessions
                                * n.sessions)) / (n.sessions * n.sessions)) / (n.sessions * n.sessions)) / n.sessions
                        else
                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (n.sessions + 16e0) * (n.sessions + 16e0))) /
                                ((n.sessions + 16e0) * (n.sessions + 16e0))) / ((n.sessions + 16e0) * (n.sessions + 16e0))) / ((n.sessions + 16e0) *
                                    (n.sessions + 16e0))) / (n.sessions + 16e0) + (n.sessions + 16.5e0) * ln(n.sessions + 16e0) - (n.sessions + 5e-1)
                                        * ln(n.sessions) - 16e0
                            - ln((n.sessions + 1e0) * (n.sessions + 2e0) * (n.sessions + 3e0) * (n.sessions + 4e0) * (n.sessions + 5e0) * (n.sessions
                                + 6e0) * (n.sessions + 7e0) * (n.sessions + 8e0) * (n.sessions + 9e0) * (n.sessions + 10e0) * (n.sessions + 11e0) *
                                    (n.sessions + 12e0) * (n.sessions + 13e0) * (n.sessions + 14e0) * (n.sessions + 15e0) * (n.sessions + 16e0))
                    end
                    - case
                        when n.firsts >= 16
                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * n.firsts * n.firsts)) / (n.firsts *
                                n.firsts)) / (n.firsts * n.firsts)) / (n.firsts * n.firsts)) / n.firsts
                        else
                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (n.firsts + 16e0) * (n.firsts + 16e0))) /
                                ((n.firsts + 16e0) * (n.firsts + 16e0))) / ((n.firsts + 16e0) * (n.firsts + 16e0))) / ((n.firsts + 16e0) * (n.firsts +
                                    16e0))) / (n.firsts + 16e0) + (n.firsts + 16.5e0) * ln(n.firsts + 16e0) - (n.firsts + 5e-1) * ln(n.firsts) - 16e0
                            - ln((n.firsts + 1e0) * (n.firsts + 2e0) * (n.firsts + 3e0) * (n.firsts + 4e0) * (n.firsts + 5e0) * (n.firsts + 6e0) *
                                (n.firsts + 7e0) * (n.firsts + 8e0) * (n.firsts + 9e0) * (n.firsts + 10e0) * (n.firsts + 11e0) * (n.firsts + 12e0) *
                                    (n.firsts + 13e0) * (n.firsts + 14e0) * (n.firsts + 15e0) * (n.firsts + 16e0))
                    end
                    - case
                        when (n.sessions - n.firsts) >= 16
                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (n.sessions - n.firsts) * (n.sessions -
                                n.firsts))) / ((n.sessions - n.firsts) * (n.sessions - n.firsts))) / ((n.sessions - n.firsts) * (n.sessions -
                                    n.firsts))) / ((n.sessions - n.firsts) * (n.sessions - n.firsts))) / (n.sessions - n.firsts)
                        else
                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * ((n.sessions - n.firsts) + 16e0) *
                                ((n.sessions - n.firsts) + 16e0))) / (((n.sessions - n.firsts) + 16e0) * ((n.sessions - n.firsts) + 16e0))) /
                                    (((n.sessions - n.firsts) + 16e0) * ((n.sessions - n.firsts) + 16e0))) / (((n.sessions - n.firsts) + 16e0) *
                                        ((n.sessions - n.firsts) + 16e0))) / ((n.sessions - n.firsts) + 16e0) + ((n.sessions - n.firsts) + 16.5e0) *
                                            ln((n.sessions - n.firsts) + 16e0) - ((n.sessions - n.firsts) + 5e-1) * ln((n.sessions - n.firsts)) - 16e0
                            - ln(((n.sessions - n.firsts) + 1e0) * ((n.sessions - n.firsts) + 2e0) * ((n.sessions - n.firsts) + 3e0) * ((n.sessions -
                                n.firsts) + 4e0) * ((n.sessions - n.firsts) + 5e0) * ((n.sessions - n.firsts) + 6e0) * ((n.sessions - n.firsts) + 7e0)
                                    * ((n.sessions - n.firsts) + 8e0) * ((n.sessions - n.firsts) + 9e0) * ((n.sessions - n.firsts) + 10e0) *
                                        ((n.sessions - n.firsts) + 11e0) * ((n.sessions - n.firsts) + 12e0) * ((n.sessions - n.firsts) + 13e0) *
                                            ((n.sessions - n.firsts) + 14e0) * ((n.sessions - n.firsts) + 15e0) * ((n.sessions - n.firsts) + 16e0))
                    end
                    - n.firsts * ln(2e0 * n.firsts / n.sessions) - (n.sessions - n.firsts) * ln(2e0 * (n.sessions - n.firsts) / n.sessions)
                )
                * sqrt(n.sessions / (6.283185307179586e0 * n.firsts * (n.sessions - n.firsts)))
                * list_reduce(
                    list_prepend(1e0, list_transform(range(cast(least(n.sessions - n.firsts, 40e0 + 5e0 * sqrt(n.sessions)) as bigint), 0, -1),
                        lambda i: cast(i as double))),
                    lambda f, m: 1e0 + f * (n.sessions - n.firsts - m + 1e0) / (n.firsts + m)
                )
        end < 5e-4 then n.firsts end as found,
        n.sessions as total,
        n.example
    from (
        select
            s.model,
            cast(count(*) as double) as firsts,
            cast(sum(count(*)) over () as double) as sessions,
            max(max(s.firsts)) over () as most_firsts,
            max(max(s.lists)) over () as most_lists,
            min(s.user_id) as example
        from (
            select
                f.user_id,
                min(case when f.first_place = 1 then f.model end) as model,
                count(case when f.first_place = 1 then 1 end) as firsts,
                count(*) as lists
            from query_table(list_facts) as f
            group by f.user_id
            having count(*) > 1 and min(f.first_place) = 1
        ) as s
        group by s.model
    ) as n
    where n.most_firsts = 1 and n.most_lists = 2 and n.firsts > n.sessions / 2 and (select count(*) from query_table(list_models) as m) = 2
) as f
where f.found > 0;

-- ids are floating-point numbers
create or replace macro recsql_steps.float_ids_of(given_recs, given_truth, recs, truth) as table
select
    case when f.largest >= f.bound then 'error' when true then 'warning' end as severity,
    'float_ids' as finding,
    cast(f.table_name as varchar) as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'cast them to whole numbers: cast(user_id as bigint); if they are too large, read them as text from the start' as advice
from (
    select
        cast(null as varchar) as model,
        i.table_name,
        i.column_name,
        sum(i.events) as found,
        sum(i.events) as total,
        max(case when abs(i.id) < 1e300 then abs(i.id) end) as largest,
        max(i.bound) as bound,
        cast(max(case when abs(i.id) < 1e300 then i.id end) as varchar) as example
    from (
        select
            recs as table_name,
            'user_id' as column_name,
            try_cast(t.user_id as double) as id,
            case when typeof(t.user_id) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
            count(*) as events
        from query_table(given_recs) as t
        where t.user_id is not null and typeof(t.user_id) in ('FLOAT', 'DOUBLE')
        group by t.user_id
        union all
        select
            recs as table_name,
            'item_id' as column_name,
            try_cast(t.item_id as double) as id,
            case when typeof(t.item_id) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
            count(*) as events
        from query_table(given_recs) as t
        where t.item_id is not null and typeof(t.item_id) in ('FLOAT', 'DOUBLE')
        group by t.item_id
        union all
        select
            truth as table_name,
            'user_id' as column_name,
            try_cast(t.user_id as double) as id,
            case when typeof(t.user_id) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
            count(*) as events
        from query_table(given_truth) as t
        where t.user_id is not null and typeof(t.user_id) in ('FLOAT', 'DOUBLE')
        group by t.user_id
        union all
        select
            truth as table_name,
            'item_id' as column_name,
            try_cast(t.item_id as double) as id,
            case when typeof(t.item_id) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
            count(*) as events
        from query_table(given_truth) as t
        where t.item_id is not null and typeof(t.item_id) in ('FLOAT', 'DOUBLE')
        group by t.item_id
    ) as i
    group by i.table_name, i.column_name
) as f
where f.found > 0;

-- the lists up to k are those of another model
create or replace macro recsql_steps.identical_models_of(twins, recs) as table
select
    case when f.found >= 0.99 * f.total then 'warning' end as severity,
    'identical_models' as finding,
    recs as table_name,
    'model' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'check the paths and names of both models' as advice
from (
    select p.model, p.found, p.total, p.other as example
    from query_table(twins) as p
    where p.place = 1
) as f
where f.found > 0;

-- ids of the truth match those of the lists in upper or lower case only
create or replace macro recsql_steps.ids_differ_by_case_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_case' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'write both in one case: lower(item_id) in recs and in truth' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            lower(i.id) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and lower(i.id) in (select lower(i.id) as form from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by lower(i.id)
        union all
        select
            'item_id' as column_name,
            lower(i.id) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and lower(i.id) in (select lower(i.id) as form from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by lower(i.id)
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids of the truth match those of the lists without .0 at their end
create or replace macro recsql_steps.ids_differ_by_decimal_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_decimal' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'cast the ids to whole numbers before they become text: cast(cast(item_id as double) as bigint)' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            regexp_replace(i.id, '[.]0+$', '') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and regexp_replace(i.id, '[.]0+$', '') in (select regexp_replace(i.id, '[.]0+$',
            '') as form from (select cast(i.id as varchar) as id, i.in_recs,
                i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by regexp_replace(i.id, '[.]0+$', '')
        union all
        select
            'item_id' as column_name,
            regexp_replace(i.id, '[.]0+$', '') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and regexp_replace(i.id, '[.]0+$', '') in (select regexp_replace(i.id, '[.]0+$',
            '') as form from (select cast(i.id as varchar) as id, i.in_recs,
                i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by regexp_replace(i.id, '[.]0+$', '')
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids of the truth match those of the lists if the longer ones are cut
create or replace macro recsql_steps.ids_differ_by_length_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_length' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'find where they lose their ends, as in a column varchar(8), and read them whole' as advice
from (
    select d.*
    from (
        select
            cast(null as varchar) as model,
            f.column_name,
            case f.column_name when 'user_id' then 'users' else 'items' end as unit,
            cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
            cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
            cast(sum(f.unmatched) as bigint) as total,
            cast(max(f.all_judged) as bigint) as judged,
            cast(sum(f.matched) as bigint) as matched,
            coalesce(
                min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                    ' in truth' end),
                min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
            ) as example
        from (
            select
                'user_id' as column_name,
                substr(i.id, 1, n.length) as form,
                cast(sum(i.in_recs) as bigint) as listed,
                cast(sum(i.in_truth) as bigint) as judged,
                cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
                cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
                max(n.judged) as all_judged,
                min(case when i.in_recs = 1 then i.id end) as listed_id,
                min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
            from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
            cross join (
                select
                    sum(i.in_truth) as judged,
                    least(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as length,
                    greatest(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as longest
                from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
            ) as n
            where (i.in_recs = 1 or i.in_truth = 1) and n.longest > n.length and n.length >= 6 and length(i.id) >= n.length
            group by substr(i.id, 1, n.length)
            union all
            select
                'item_id' as column_name,
                substr(i.id, 1, n.length) as form,
                cast(sum(i.in_recs) as bigint) as listed,
                cast(sum(i.in_truth) as bigint) as judged,
                cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
                cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
                max(n.judged) as all_judged,
                min(case when i.in_recs = 1 then i.id end) as listed_id,
                min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
            from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
            cross join (
                select
                    sum(i.in_truth) as judged,
                    least(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as length,
                    greatest(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as longest
                from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
            ) as n
            where (i.in_recs = 1 or i.in_truth = 1) and n.longest > n.length and n.length >= 6 and length(i.id) >= n.length
            group by substr(i.id, 1, n.length)
        ) as f
        group by f.column_name
    ) as d
    where d.matched = 0
) as f
where f.found > 0;

-- ids of the truth match those of the lists without what is before them, such as item_ or m in front of a number
create or replace macro recsql_steps.ids_differ_by_prefix_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_prefix' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'write both with it or both without it: regexp_replace(item_id, ''^item_'', '''')' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 and (f.listed_id = f.form or f.judged_id = f.form) then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and (f.listed_id = f.form or f.judged_id = f.form) and f.listed = 1 and f.judged = 1 then f.unmatched else 0
            end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and (f.listed_id = f.form or f.judged_id = f.form) and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then
                f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end),
            min(case when f.listed > 0 and (f.listed_id = f.form or f.judged_id = f.form) and f.unmatched > 0 then f.listed_id || ' in recs, ' ||
                f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''), '^[A-Za-z]+',
                '') else regexp_replace(i.id, '^.*[/:#|_-]', '') end as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and case when substr(i.id, length(i.id),
            1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''), '^[A-Za-z]+', '') else regexp_replace(i.id,
                '^.*[/:#|_-]', '') end in (select case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id,
                    '^.*[/:#|_-]', ''), '^[A-Za-z]+', '') else regexp_replace(i.id, '^.*[/:#|_-]',
                        '') end as form from (select cast(i.id as varchar) as id, i.in_recs,
                            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''),
            '^[A-Za-z]+', '') else regexp_replace(i.id, '^.*[/:#|_-]', '') end
        union all
        select
            'item_id' as column_name,
            case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''), '^[A-Za-z]+',
                '') else regexp_replace(i.id, '^.*[/:#|_-]', '') end as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and case when substr(i.id, length(i.id),
            1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''), '^[A-Za-z]+', '') else regexp_replace(i.id,
                '^.*[/:#|_-]', '') end in (select case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id,
                    '^.*[/:#|_-]', ''), '^[A-Za-z]+', '') else regexp_replace(i.id, '^.*[/:#|_-]',
                        '') end as form from (select cast(i.id as varchar) as id, i.in_recs,
                            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace(regexp_replace(i.id, '^.*[/:#|_-]', ''),
            '^[A-Za-z]+', '') else regexp_replace(i.id, '^.*[/:#|_-]', '') end
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids of the truth match those of the lists without the quotation marks around them
create or replace macro recsql_steps.ids_differ_by_quotes_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_quotes' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'remove them: trim(item_id, ''"'') in recs and in truth, or read the file with its own quote' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            trim(i.id, '"''`') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and trim(i.id, '"''`') in (select trim(i.id, '"''`') as form from (select cast(i.id as varchar) as id,
            i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by trim(i.id, '"''`')
        union all
        select
            'item_id' as column_name,
            trim(i.id, '"''`') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and trim(i.id, '"''`') in (select trim(i.id, '"''`') as form from (select cast(i.id as varchar) as id,
            i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by trim(i.id, '"''`')
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids of the truth match those of the lists without the white space around them and without characters that have no width
create or replace macro recsql_steps.ids_differ_by_space_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_space' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'remove it: trim(item_id) in recs and in truth, or regexp_replace for tabs, ends of lines and a byte order mark' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
                ' ' || chr(9) || chr(10) || chr(13) || chr(160)) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279),
            ''), ' ' || chr(9) || chr(10) || chr(13) || chr(160)) in (select trim(translate(i.id,
                chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
                    ' ' || chr(9) || chr(10) || chr(13) || chr(160)) as form from (select cast(i.id as varchar) as id, i.in_recs,
                        i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
            ' ' || chr(9) || chr(10) || chr(13) || chr(160))
        union all
        select
            'item_id' as column_name,
            trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
                ' ' || chr(9) || chr(10) || chr(13) || chr(160)) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279),
            ''), ' ' || chr(9) || chr(10) || chr(13) || chr(160)) in (select trim(translate(i.id,
                chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
                    ' ' || chr(9) || chr(10) || chr(13) || chr(160)) as form from (select cast(i.id as varchar) as id, i.in_recs,
                        i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by trim(translate(i.id, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''),
            ' ' || chr(9) || chr(10) || chr(13) || chr(160))
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids have different types in two tables
create or replace macro recsql_steps.ids_differ_by_type_of(recs, truth) as table
select
    'error' as severity,
    'ids_differ_by_type' as finding,
    cast(null as varchar) as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'cast one of them to the other''s type' as advice
from (
    select cast(null as varchar) as model, 1 as found, cast(null as bigint) as total, c.message as example
    from recsql_steps.check_id_types(recsql_steps.relation(recs), recsql_steps.relation(truth), recs, truth) as c
) as f
where f.found > 0;

-- ids of the truth match those of the lists in Unicode's composed form only
create or replace macro recsql_steps.ids_differ_by_unicode_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_unicode' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'write both in that form: nfc_normalize(item_id) in recs and in truth' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            nfc_normalize(i.id) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and nfc_normalize(i.id) in (select nfc_normalize(i.id) as form from (select cast(i.id as varchar) as
            id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by nfc_normalize(i.id)
        union all
        select
            'item_id' as column_name,
            nfc_normalize(i.id) as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and nfc_normalize(i.id) in (select nfc_normalize(i.id) as form from (select cast(i.id as varchar) as
            id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by nfc_normalize(i.id)
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ids of the truth match those of the lists without their leading zeros
create or replace macro recsql_steps.ids_differ_by_zeros_of(user_ids, item_ids, truth) as table
select
    case when 2 * f.clear >= f.total and 100 * f.clear >= f.judged then 'error' when f.clear >= 10 and 100 * f.clear >= f.total then 'warning' when
        f.clear < f.found and (2 * f.found >= f.total or f.found >= 10) then 'note' end as severity,
    'ids_differ_by_zeros' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    f.unit as unit,
    cast(f.example as varchar) as example,
    'pad both to one length, as in lpad(item_id, 7, ''0''), or remove the zeros: ltrim(item_id, ''0'')' as advice
from (
    select
        cast(null as varchar) as model,
        f.column_name,
        case f.column_name when 'user_id' then 'users' else 'items' end as unit,
        cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
        cast(sum(case when f.listed > 0 and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
        cast(sum(f.unmatched) as bigint) as total,
        cast(max(f.all_judged) as bigint) as judged,
        cast(sum(f.matched) as bigint) as matched,
        coalesce(
            min(case when f.listed > 0 and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id ||
                ' in truth' end),
            min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
        ) as example
    from (
        select
            'user_id' as column_name,
            regexp_replace(i.id, '^0+', '') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and regexp_replace(i.id, '^0+', '') in (select regexp_replace(i.id, '^0+',
            '') as form from (select cast(i.id as varchar) as id, i.in_recs,
                i.in_truth from query_table(user_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by regexp_replace(i.id, '^0+', '')
        union all
        select
            'item_id' as column_name,
            regexp_replace(i.id, '^0+', '') as form,
            cast(sum(i.in_recs) as bigint) as listed,
            cast(sum(i.in_truth) as bigint) as judged,
            cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
            cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
            max(n.judged) as all_judged,
            min(case when i.in_recs = 1 then i.id end) as listed_id,
            min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
        from (select cast(i.id as varchar) as id, i.in_recs, i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i
        cross join (select sum(i.in_truth) as judged from (select cast(i.id as varchar) as id, i.in_recs,
            i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i) as n
        where (i.in_recs = 1 or i.in_truth = 1) and regexp_replace(i.id, '^0+', '') in (select regexp_replace(i.id, '^0+',
            '') as form from (select cast(i.id as varchar) as id, i.in_recs,
                i.in_truth from query_table(item_ids) as i where typeof(i.id) = 'VARCHAR') as i where i.in_truth = 1 and i.in_recs = 0)
        group by regexp_replace(i.id, '^0+', '')
    ) as f
    group by f.column_name
) as f
where f.found > 0;

-- ranks are not whole numbers that start at 1
create or replace macro recsql_steps.impossible_ranks_of(given_recs, recs) as table
select
    'error' as severity,
    'impossible_ranks' as finding,
    recs as table_name,
    'rank' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'number each list from 1 on with row_number(); if ranks start at 0, add 1' as advice
from (
    select
        r.model,
        count(case when (
            recsql_steps.number(r.given_rank) is null
            or recsql_steps.number(r.given_rank) < 1
            or recsql_steps.number(r.given_rank) >= 1000000000000000000
            or (
                typeof(r.given_rank) not like '%INT%'
                and (cast(recsql_steps.number(r.given_rank) as double) % 1 <> 0 or isnan(cast(recsql_steps.number(r.given_rank) as double) + 0 *
                    random()))
            )
        ) then 1 end) as found,
        count(*) as total,
        cast(min(case when (
            recsql_steps.number(r.given_rank) is null
            or recsql_steps.number(r.given_rank) < 1
            or recsql_steps.number(r.given_rank) >= 1000000000000000000
            or (
                typeof(r.given_rank) not like '%INT%'
                and (cast(recsql_steps.number(r.given_rank) as double) % 1 <> 0 or isnan(cast(recsql_steps.number(r.given_rank) as double) + 0 *
                    random()))
            )
        ) then r.given_rank end) as varchar) as example
    from query_table(given_recs) as r
    where r.rank_by = 'rank'
    group by r.model
) as f
where f.found > 0;

-- items in the top k have no row in the truth, and the lists of another model have far fewer of them
create or replace macro recsql_steps.judged_differs_of(judged_means, truth) as table
select
    'warning' as severity,
    'judged_differs' as finding,
    truth as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'items' as unit,
    cast(f.example as varchar) as example,
    'evaluate with recsql macros --judged-only true -o FILE beside it, and judge the missing items' as advice
from (
    select
        m.model,
        case when m.gap > 1e-1 then m.items - m.judged end as found,
        m.items as total,
        m.model || ' ' || cast(round(m.share, 2) as varchar) || ', ' || m.best_model || ' ' || cast(round(m.best_share, 2) as varchar) as example
    from query_table(judged_means) as m
) as f
where f.found > 0;

-- no list has k items
create or replace macro recsql_steps.k_beyond_lists_of(list_facts, item_ids, recs, k) as table
select
    'warning' as severity,
    'k_beyond_lists' as finding,
    recs as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'lower k to the length of the longest list, or ask the model for at least k items' as advice
from (
    select
        f.model,
        case when max(f.items) < coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000) then count(*) end as found,
        count(*) as total,
        cast(max(f.items) as varchar) || case when max(f.items) = 1 then ' item' else ' items' end || ' in the longest' as example
    from query_table(list_facts) as f
    where (select count(*) from query_table(item_ids) as i) >= coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000)
    group by f.model
) as f
where f.found > 0;

-- lists have fewer items up to k than those of another model
create or replace macro recsql_steps.list_lengths_differ_of(list_facts, recs, k) as table
select
    'warning' as severity,
    'list_lengths_differ' as finding,
    recs as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'items' as unit,
    cast(f.example as varchar) as example,
    'ask every model for at least k items, or lower k to what all of them have' as advice
from (
    select
        p.model,
        case when p.mean <= 0.9 * p.longest then round(p.longest * p.lists - p.items) end as found,
        round(p.longest * p.lists) as total,
        cast(round(p.mean, 1) as varchar) || ' items in a list, not ' || cast(round(p.longest, 1) as varchar) as example
    from (
        select m.*, max(m.mean) over () as longest
        from (
            select
                f.model,
                count(*) as lists,
                sum(least(f.items, coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000))) as items,
                cast(sum(least(f.items, coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000))) as double) / count(*) as mean
            from query_table(list_facts) as f
            group by f.model
        ) as m
    ) as p
) as f
where f.found > 0;

-- users with a list have no relevant items
create or replace macro recsql_steps.lists_without_truth_of(list_facts, user_ids, truth) as table
select
    'note' as severity,
    'lists_without_truth' as finding,
    truth as table_name,
    'user_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'count them as 0 with recsql macros --no-truth zero -o FILE if they should be in the mean' as advice
from (
    select
        f.model,
        count(case when u.in_truth = 0 then 1 end) as found,
        count(*) as total,
        min(case when u.in_truth = 0 then u.id end) as example
    from query_table(list_facts) as f
    inner join query_table(user_ids) as u on u.id = f.user_id
    group by f.model
) as f
where f.found > 0;

-- the lists and the truth have no item in common
create or replace macro recsql_steps.no_common_items_of(item_ids, truth) as table
select
    case when f.total >= 20 then 'error' when true then 'warning' end as severity,
    'no_common_items' as finding,
    truth as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'items' as unit,
    cast(f.example as varchar) as example,
    'compare how both tables write the ids: case, spaces, leading zeros, types' as advice
from (
    select
        cast(null as varchar) as model,
        case when sum(i.in_recs * i.in_truth) = 0 then sum(i.in_truth) end as found,
        sum(i.in_truth) as total,
        coalesce(min(case when i.in_recs = 1 then cast(i.id as varchar) end), 'no ids')
        || ' in recs, '
        || min(case when i.in_truth = 1 then cast(i.id as varchar) end)
        || ' in truth' as example
    from query_table(item_ids) as i
) as f
where f.found > 0;

-- the lists and the truth have no user in common
create or replace macro recsql_steps.no_common_users_of(user_ids, truth) as table
select
    'error' as severity,
    'no_common_users' as finding,
    truth as table_name,
    'user_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'compare how both tables write the ids: case, spaces, leading zeros, types' as advice
from (
    select
        cast(null as varchar) as model,
        case when sum(i.in_recs * i.in_truth) = 0 then sum(i.in_truth) end as found,
        sum(i.in_truth) as total,
        coalesce(min(case when i.in_recs = 1 then cast(i.id as varchar) end), 'no ids')
        || ' in recs, '
        || min(case when i.in_truth = 1 then cast(i.id as varchar) end)
        || ' in truth' as example
    from query_table(user_ids) as i
) as f
where f.found > 0;

-- no user has a hit in the top k
create or replace macro recsql_steps.no_hits_of(given_means, recs) as table
select
    case when f.total >= 688 then 'error' when true then 'warning' end as severity,
    'no_hits' as finding,
    recs as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'look at one user with recsql.hits, and compare the ids of both tables' as advice
from (
    select m.model, m.users as found, m.users as total, cast(null as varchar) as example
    from query_table(given_means) as m
    where m.metric = 'hit' and m.value = 0
) as f
where f.found > 0;

-- rows have no id
create or replace macro recsql_steps.null_ids_of(odd_ids) as table
select
    case when f.role in ('recs', 'truth') then 'error' when true then 'warning' end as severity,
    'null_ids' as finding,
    cast(f.table_name as varchar) as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'leave them out: where user_id is not null and item_id is not null' as advice
from (
    select
        cast(null as varchar) as model,
        i.role,
        i.table_name,
        i.column_name,
        i.events as found,
        i.total,
        cast(null as varchar) as example
    from query_table(odd_ids) as i
    where i.id is null
) as f
where f.found > 0;

-- ids are what programs write where there is no id: an empty text, nan, None, null or -1
create or replace macro recsql_steps.placeholder_ids_of(odd_ids) as table
select
    'warning' as severity,
    'placeholder_ids' as finding,
    cast(f.table_name as varchar) as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'leave these rows out before you write the tables' as advice
from (
    select
        cast(null as varchar) as model,
        i.table_name,
        i.column_name,
        sum(i.events) as found,
        max(i.total) as total,
        max(regexp_replace(cast(i.id as varchar), '^$', '''''')) as example
    from query_table(odd_ids) as i
    where i.id is not null and (i.id <> '-1' or 100 * i.events > i.total)
    group by i.table_name, i.column_name
) as f
where f.found > 0;

-- 1 % of the relevant items have more than 10 % of the relevant rows
create or replace macro recsql_steps.popularity_skew_of(relevant_items, truth) as table
select
    'note' as severity,
    'popularity_skew' as finding,
    truth as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'compare with recsql.popularity(train), and slice, or add novelty' as advice
from (
    select
        cast(null as varchar) as model,
        case when s.items >= 100 and 10 * s.top > s.total then s.top end as found,
        s.total,
        'gini ' || cast(round(2e0 * s.weighted / s.items / s.total - (s.items + 1e0) / s.items, 2) as varchar) as example
    from (
        select
            max(i.items) as items,
            cast(sum(case when i.place <= floor(i.items / 1e2) then i.relevant_rows end) as bigint) as top,
            cast(sum(i.relevant_rows) as bigint) as total,
            cast(sum((i.items + 1 - i.place) * i.relevant_rows) as double) as weighted
        from query_table(relevant_items) as i
    ) as s
) as f
where f.found > 0;

-- the ranks of a list have gaps, or do not begin at 1
create or replace macro recsql_steps.rank_gaps_of(list_facts, recs) as table
select
    case when f.found > 0.01 * f.total then 'warning' when f.found > 0 * f.total then 'note' end as severity,
    'rank_gaps' as finding,
    recs as table_name,
    'rank' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'if the lists were filtered after ranking, number them again with row_number()' as advice
from (
    select
        f.model,
        count(case when f.last_place > f.items then 1 end) as found,
        count(*) as total,
        min(case when f.last_place > f.items then f.user_id end) as example
    from query_table(list_facts) as f
    group by f.model
) as f
where f.found > 0;

-- the relevance looks like a count of plays, clicks or purchases
create or replace macro recsql_steps.relevance_looks_like_counts_of(truth_values, truth) as table
select
    'warning' as severity,
    'relevance_looks_like_counts' as finding,
    truth as table_name,
    'relevance' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'count each item as 1 with recsql macros --gain binary -o FILE, or take the logarithm of the counts' as advice
from (
    select
        cast(null as varchar) as model,
        case when max(v.relevance) > 100 and max(v.relevance) <= 1e8 and count(*) > 50 then sum(v.stated) end as found,
        sum(v.stated) as total,
        case when max(v.relevance) = floor(max(v.relevance)) and abs(max(v.relevance)) < 1e15 then cast(try_cast(max(v.relevance) as bigint) as
            varchar) else cast(max(v.relevance) as varchar) end as example
    from query_table(truth_values) as v
) as f
where f.found > 0;

-- the relevance looks like a rating
create or replace macro recsql_steps.relevance_looks_like_ratings_of(truth_values, truth) as table
select
    'warning' as severity,
    'relevance_looks_like_ratings' as finding,
    truth as table_name,
    'relevance' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'count good ratings only, such as those from 4 on with recsql macros --relevance-threshold 4 -o FILE' as advice
from (
    select
        cast(null as varchar) as model,
        case
            when max(v.most) in (5, 10, 100) and max(case when v.relevance = v.least then v.stated end) < max(v.stated)
                and sum(case when v.relevance <= v.most / 2 then v.stated end) >= 0.05 * sum(v.stated)
                then sum(case when v.relevance <= v.most / 2 then v.stated end)
        end as found,
        sum(v.stated) as total,
        case when min(v.least) = floor(min(v.least)) and abs(min(v.least)) < 1e15 then cast(try_cast(min(v.least) as bigint) as varchar) else
            cast(min(v.least) as varchar) end as example
    from (
        select v.*, min(v.relevance) over () as least, max(v.relevance) over () as most
        from query_table(truth_values) as v
    ) as v
) as f
where f.found > 0;

-- the relevance looks like a time
create or replace macro recsql_steps.relevance_looks_like_time_of(truth_values, truth) as table
select
    'error' as severity,
    'relevance_looks_like_time' as finding,
    truth as table_name,
    'relevance' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'leave the column out in a view, so that every row counts, or rename the right one to relevance there' as advice
from (
    select
        cast(null as varchar) as model,
        case when min(v.relevance) > 1e8 then sum(v.stated) end as found,
        sum(v.stated) as total,
        case when min(v.relevance) = floor(min(v.relevance)) and abs(min(v.relevance)) < 1e15 then cast(try_cast(min(v.relevance) as bigint) as
            varchar) else cast(min(v.relevance) as varchar) end as example
    from query_table(truth_values) as v
) as f
where f.found > 0;

-- the truth has a column that looks like a relevance and is not read
create or replace macro recsql_steps.relevance_not_read_of(table_columns, likely_relevance, truth) as table
select
    case when f.low >= 0.01 * f.total then 'error' when f.is_rating = 1 then 'note' when true then 'warning' end as severity,
    'relevance_not_read' as finding,
    truth as table_name,
    cast(f.column_name as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'rename it to relevance in a view if it is; recsql macros --relevance-threshold 4 -o FILE counts values from 4 on' as advice
from (
    select
        cast(null as varchar) as model,
        n.stated as found,
        n.stated as total,
        cast(null as varchar) as example,
        (select min(c.name) from query_table(table_columns) as c where c.role = 'truth' and lower(c.name) = n.name) as column_name,
        case when n.name in ('rating', 'stars') then 1 else 0 end as is_rating,
        case when n.name in ('score', 'grade', 'label', 'rel', 'gain') then n.low else 0 end as low
    from query_table(likely_relevance) as n
) as f
where f.found > 0;

-- many users have the same list up to k
create or replace macro recsql_steps.same_list_for_many_of(list_facts, recs) as table
select
    case when f.found > 0.2 * f.total and f.popular = 0 then 'warning' when f.found > 0.2 * f.total then 'note' end as severity,
    'same_list_for_many' as finding,
    recs as table_name,
    'item_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'check that these users are known to the model, and that no default list stands in for them' as advice
from (
    select
        g.model,
        g.found,
        g.total,
        cast(g.user_id as varchar) as example,
        0 as popular
    from (
        select
            g.*,
            sum(g.found) over (partition by g.model ) as total,
            row_number() over (partition by g.model order by g.found desc, g.user_id asc) as place
        from (
            select f.model, count(*) as found, min(f.user_id) as user_id
            from query_table(list_facts) as f
            where f.top is not null
            group by f.model, f.top
        ) as g
    ) as g
    where g.place = 1 and g.total >= 20
) as f
where f.found > 0;

-- most users have the best possible value in every model
create or replace macro recsql_steps.saturated_of(given_means, truth) as table
select
    'warning' as severity,
    'saturated' as finding,
    truth as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'lower k, rank more candidates, or choose a metric that reads ranks, such as ndcg' as advice
from (
    select cast(null as varchar) as model, min(m.best) as found, min(m.users) as total, m.metric as example
    from query_table(given_means) as m
    group by m.metric
    having min(m.users) >= 20 and count(m.best) = count(*) and min(cast(m.best as double) / m.users) > 0.9
) as f
where f.found > 0;

-- scores contradict ranks
create or replace macro recsql_steps.score_against_rank_of(list_facts, list_items, recs, k) as table
select
    case when f.found > 0.9 * f.total then 'error' when f.found > 0.01 * f.total then 'warning' end as severity,
    'score_against_rank' as finding,
    recs as table_name,
    'score' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'if the scores are right, recsql macros --rank-by score -o FILE orders by them; if low ones are better, as distances are, ignore this finding' as
        advice
from (
    select
        f.model,
        count(case when f.first_score < f.best or s.user_id is not null then 1 end) as found,
        count(*) as total,
        min(case when f.first_score < f.best or s.user_id is not null then f.user_id end) as example
    from query_table(list_facts) as f
    left join (
        select distinct s.model, s.user_id
        from (
            select
                r.model, r.user_id,
                r.score as score,
                lag(r.score) over (partition by r.model, r.user_id order by r.place asc) as score_above
            from query_table(list_items) as r
            where r.place <= coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000)
        ) as s
        where s.score > s.score_above
    ) as s on s.model is not distinct from f.model and s.user_id = f.user_id
    where f.scores > 1
    group by f.model
) as f
where f.found > 0;

-- a score is NaN or infinite
create or replace macro recsql_steps.scores_not_finite_of(list_facts, recs) as table
select
    'error' as severity,
    'scores_not_finite' as finding,
    recs as table_name,
    'score' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'leave such items out before ranking: where isfinite(score)' as advice
from (
    select
        f.model,
        count(case when isnan(cast(f.best as double) + 0 * random()) or isinf(cast(f.best as double)) or isinf(cast(f.least as double)) then 1 end) as
            found,
        count(*) as total,
        min(case when isnan(cast(f.best as double) + 0 * random()) or isinf(cast(f.best as double)) or isinf(cast(f.least as double)) then f.user_id
            end) as example
    from query_table(list_facts) as f
    group by f.model
) as f
where f.found > 0;

-- lists have fewer than k items
create or replace macro recsql_steps.short_lists_of(list_facts, recs, k) as table
select
    case when f.found > 0.05 * f.total then 'warning' when f.found > 0 * f.total then 'note' end as severity,
    'short_lists' as finding,
    recs as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'ask the model for at least k items, or lower k' as advice
from (
    select
        f.model,
        case when max(f.items) >= coalesce(list_max(recsql_steps.cutoffs(k)),
            1000000000000000000) then count(case when f.items < coalesce(list_max(recsql_steps.cutoffs(k)),
                1000000000000000000) then 1 end) end as found,
        count(*) as total,
        min(case when f.items < coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000) then f.user_id end) as example
    from query_table(list_facts) as f
    group by f.model
) as f
where f.found > 0;

-- recs look like judgements, and the truth like lists
create or replace macro recsql_steps.tables_swapped_of(given_recs, likely_relevance, table_columns, recs) as table
select
    'warning' as severity,
    'tables_swapped' as finding,
    recs as table_name,
    cast(null as varchar) as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'rows' as unit,
    cast(f.example as varchar) as example,
    'give the recommendations first, then the truth' as advice
from (
    select cast(null as varchar) as model, count(*) as found, count(*) as total, cast(null as varchar) as example
    from query_table(given_recs) as r
    where typeof(r.given_rank) = '"NULL"'
        and (
            'score' in (select n.name from query_table(likely_relevance) as n) and (
                select
                    count(*) > 0
                    and count(case when r.score = floor(r.score) then 1 end) = count(*)
                    and count(distinct case when r.score = floor(r.score) then r.score end) <= 10
                from query_table(given_recs) as r
            )
            or (
                select count(case when lower(c.name) = 'rank' then 1 end) = 1 and count(case when lower(c.name) in ('relevance',
                    'events') then 1 end) < 2
                from query_table(table_columns) as c
                where c.role = 'truth'
            )
        )
) as f
where f.found > 0;

-- items of one list have the same rank
create or replace macro recsql_steps.tied_ranks_of(list_facts, repeated_ranks, recs) as table
select
    'error' as severity,
    'tied_ranks' as finding,
    recs as table_name,
    'rank' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'number each list with row_number(), or use recsql macros --rank-by score -o FILE' as advice
from (
    select f.model, count(distinct o.user_id) as found, count(distinct f.user_id) as total, min(o.user_id) as example
    from query_table(list_facts) as f
    left join query_table(repeated_ranks) as o on o.model is not distinct from f.model and o.user_id = f.user_id
    group by f.model
) as f
where f.found > 0;

-- the items at ranks k and k + 1 have the same score
create or replace macro recsql_steps.tied_scores_at_k_of(list_facts, recs) as table
select
    case when f.unordered = 1 and f.found > 0.1 * f.total then 'warning' when true then 'note' end as severity,
    'tied_scores_at_k' as finding,
    recs as table_name,
    'score' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'lists' as unit,
    cast(f.example as varchar) as example,
    'average over all orders with recsql macros --rank-by score --ties expected -o FILE, or take the lowest value with --ties worst' as advice
from (
    select
        f.model,
        count(case when f.score_at_k = f.score_below_k then 1 end) as found,
        count(*) as total,
        min(case when f.score_at_k = f.score_below_k then f.user_id end) as example,
        max(f.by_score) as unordered
    from query_table(list_facts) as f
    group by f.model
) as f
where f.found > 0;

-- users with relevant items have no list
create or replace macro recsql_steps.users_without_list_of(list_models, user_ids, list_facts, recs) as table
select
    case when f.found > 0.05 * f.total then 'warning' when f.found > 0 * f.total then 'note' end as severity,
    'users_without_list' as finding,
    recs as table_name,
    'user_id' as column_name,
    cast(f.model as varchar) as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    'users' as unit,
    cast(f.example as varchar) as example,
    'give every user of the truth a list, or leave them out with recsql macros --no-recs skip -o FILE' as advice
from (
    select
        m.model,
        count(case when f.user_id is null then 1 end) as found,
        count(*) as total,
        min(case when f.user_id is null then u.id end) as example
    from query_table(list_models) as m
    inner join query_table(user_ids) as u on u.in_truth = 1
    left join query_table(list_facts) as f on f.model is not distinct from m.model and f.user_id = u.id
    group by m.model
) as f
where f.found > 0;

-- what is odd about the tables, the worst first
create or replace macro recsql.check(recs, truth, k := 10) as table
with
table_columns as (from recsql_steps.table_columns_of(recs, truth)),

-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select r.*
    from recsql_steps.given_recs_of(recs) as r
    where not exists (select c.message from recsql_steps.check_id_types(recsql_steps.relation(recs), recsql_steps.relation(truth), recs, truth) as c)
),

-- one row per row of truth, with recsql's column names
given_truth as not materialized (
    select t.*
    from recsql_steps.given_truth_of(truth) as t
    where not exists (select c.message from recsql_steps.check_id_types(recsql_steps.relation(recs), recsql_steps.relation(truth), recs, truth) as c)
),
judged as (from recsql_steps.judged_of('given_truth', 'given_recs', recs, truth)),
scored as not materialized (from recsql_steps.scored_of('given_recs')),
ranked as not materialized (from recsql_steps.ranked_of('given_recs', 'scored')),
recommended as not materialized (from recsql_steps.recommended_of('ranked', k)),
list_ranks as (from recsql_steps.list_ranks_of('given_recs')),
likely_relevance as (from recsql_steps.likely_relevance_of(truth)),
odd_ids as (from recsql_steps.odd_ids_of('given_recs', 'given_truth', recs, truth)),

-- one row per relevance in the truth, with the number of its rows
truth_values as (
    select t.relevance, count(*) as stated
    from given_truth as t
    group by t.relevance
),

-- one row per relevant item: its place by the number of its relevant rows, ties by item id, and the number of such items
relevant_items as (
    select
        t.item_id,
        count(*) as relevant_rows,
        count(*) over () as items,
        row_number() over (order by count(*) desc, t.item_id asc) as place
    from given_truth as t
    where t.item_id is not null and t.relevance > 0
    group by t.item_id
),

-- one row per user and item that are in the truth several times: the number of rows, the least and the highest relevance
truth_copies as (
    select t.user_id, t.item_id, count(*) as stated, min(t.relevance) as least, max(t.relevance) as most
    from given_truth as t
    inner join (
        select t.user_id
        from given_truth as t
        group by t.user_id
        having greatest(bit_count(bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63))),
            bit_count(bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)))) < count(*)
    ) as s on s.user_id = t.user_id
    group by t.user_id, t.item_id
    having count(*) > 1
),

-- one row per row of recs, with its place in the list
list_items as not materialized (
    select r.model, r.user_id, r.item_id, r.score, r.rank as place, 0 as by_score
    from given_recs as r
    where r.rank_by = 'rank'
    union all
    select
        r.model, r.user_id,
        r.item_id,
        r.score,
        row_number() over (partition by r.model, r.user_id order by r.score desc, r.item_id asc) as place,
        1 as by_score
    from given_recs as r
    where r.rank_by = 'score'
),
list_facts as (from recsql_steps.list_facts_of('list_items', k)),
list_copies as (from recsql_steps.list_copies_of('list_items', 'given_truth', k)),

-- one row per model and earlier model with lists of the same users: how many lists, how many are equal, and its place, most equal lists first
twins as (
    select
        b.model,
        a.model as other,
        count(case when a.top = b.top then 1 end) as found,
        count(*) as total,
        row_number() over (partition by b.model order by cast(count(case when a.top = b.top then 1 end) as double) / count(*) desc,
            a.model asc) as place
    from list_facts as a
    inner join list_facts as b on b.user_id = a.user_id and b.model > a.model
    group by a.model, b.model
),

-- one row per model that has lists or a name
list_models as (
    select distinct f.model
    from list_facts as f
),
user_rows as (from recsql_steps.user_rows_of('list_facts', 'given_truth')),
item_rows as (from recsql_steps.item_rows_of('given_recs', 'given_truth')),

-- one row per user id: whether it has a list, relevant items, and a row in train
user_ids as (
    select
        i.id,
        case when i.recs_rows > 0 then 1 else 0 end as in_recs,
        case when i.relevant_rows > 0 then 1 else 0 end as in_truth
    from user_rows as i
    where i.id is not null
),

-- one row per item id: whether it is in a list, relevant, in train, and in items
item_ids as (
    select
        i.id,
        case when i.recs_rows > 0 then 1 else 0 end as in_recs,
        case when i.relevant_rows > 0 then 1 else 0 end as in_truth
    from item_rows as i
    where i.id is not null
),

-- one row per list with relevant items: their number in the list, and in its top k
list_hits as (
    select r.model, r.user_id, count(*) as hits, count(case when r.place <= coalesce(list_max(recsql_steps.cutoffs(k)),
        1000000000000000000) then 1 end) as hits_at_k
    from list_items as r
    inner join (
        select t.user_id, t.item_id
        from given_truth as t
        where t.relevance > 0
        group by t.user_id, t.item_id
    ) as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id
),

-- one row per model and metric: its mean, and the number of users in it
given_means as not materialized (
    select
        m.model,
        'hit' as metric,
        count(h.user_id) / cast(count(*) as double) as value,
        count(*) as users,
        count(h.user_id) as best
    from list_models as m
    inner join user_ids as u on u.in_truth = 1
    left join list_hits as h on h.model is not distinct from m.model and h.user_id = u.id and h.hits_at_k > 0
    group by m.model
),

-- one row per user with a list and relevant items, of the first thousand by their ids
watched as (
    select t.user_id, count(*) as relevant_rows
    from given_truth as t
    where t.relevance > 0 and exists (select 1 as one from list_facts as f where f.user_id = t.user_id)
    group by t.user_id
    order by t.user_id asc
    limit 1000
),

-- one row per list of a watched user: the number of its relevant items
watched_hits as (
    select r.model, r.user_id, count(*) as hits
    from list_items as r
    inner join watched as w on w.user_id = r.user_id
    inner join (
        select t.user_id, t.item_id
        from given_truth as t
        inner join watched as w on w.user_id = t.user_id
        where t.relevance > 0
        group by t.user_id, t.item_id
    ) as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id
),

-- one row per list of a user with relevant items: the number of items in its top k, and of those that have a row in the truth
judged_lists as (
    select r.model, r.user_id, count(*) as items, count(j.item_id) as judged
    from recommended as r
    inner join (select distinct j.user_id from judged as j where j.relevance > 0) as u on u.user_id = r.user_id
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    where r.rank <= coalesce(list_max(recsql_steps.cutoffs(k)), 1000000000000000000)
    group by r.model, r.user_id
),
judged_means as (from recsql_steps.judged_means_of('judged_lists', 'judged')),
unbroken as (from recsql_steps.unbroken_of('list_ranks')),
unproven as (from recsql_steps.unproven_of('list_ranks', 'unbroken')),
rank_bands as (from recsql_steps.rank_bands_of('given_recs', 'unproven')),
doubtful_recs as not materialized (from recsql_steps.doubtful_recs_of('given_recs', 'rank_bands')),
repeated_ranks as (from recsql_steps.repeated_ranks_of('doubtful_recs'))

select
    f.severity,
    f.finding,
    f.table_name as "table",
    f.column_name as "column",
    f.model,
    f.found as "count",
    f.total as "of",
    f.unit,
    f.example,
    f.advice
from (
    from recsql_steps.candidates_sampled_of('list_items', 'watched', 'list_facts', 'watched_hits', recs)
    union all from recsql_steps.constant_scores_of('list_facts', recs)
    union all from recsql_steps.coverage_differs_of('list_models', 'user_ids', 'list_facts', recs)
    union all from recsql_steps.duplicate_items_of('list_facts', 'list_copies', recs)
    union all from recsql_steps.duplicate_truth_of('given_truth', 'truth_copies', truth)
    union all from recsql_steps.few_users_of('user_ids', truth)
    union all from recsql_steps.first_places_differ_of('list_facts', 'list_models', recs)
    union all from recsql_steps.float_ids_of('given_recs', 'given_truth', recs, truth)
    union all from recsql_steps.identical_models_of('twins', recs)
    union all from recsql_steps.ids_differ_by_case_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_decimal_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_length_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_prefix_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_quotes_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_space_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_type_of(recs, truth)
    union all from recsql_steps.ids_differ_by_unicode_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.ids_differ_by_zeros_of('user_ids', 'item_ids', truth)
    union all from recsql_steps.impossible_ranks_of('given_recs', recs)
    union all from recsql_steps.judged_differs_of('judged_means', truth)
    union all from recsql_steps.k_beyond_lists_of('list_facts', 'item_ids', recs, k)
    union all from recsql_steps.list_lengths_differ_of('list_facts', recs, k)
    union all from recsql_steps.lists_without_truth_of('list_facts', 'user_ids', truth)
    union all from recsql_steps.no_common_items_of('item_ids', truth)
    union all from recsql_steps.no_common_users_of('user_ids', truth)
    union all from recsql_steps.no_hits_of('given_means', recs)
    union all from recsql_steps.null_ids_of('odd_ids')
    union all from recsql_steps.placeholder_ids_of('odd_ids')
    union all from recsql_steps.popularity_skew_of('relevant_items', truth)
    union all from recsql_steps.rank_gaps_of('list_facts', recs)
    union all from recsql_steps.relevance_looks_like_counts_of('truth_values', truth)
    union all from recsql_steps.relevance_looks_like_ratings_of('truth_values', truth)
    union all from recsql_steps.relevance_looks_like_time_of('truth_values', truth)
    union all from recsql_steps.relevance_not_read_of('table_columns', 'likely_relevance', truth)
    union all from recsql_steps.same_list_for_many_of('list_facts', recs)
    union all from recsql_steps.saturated_of('given_means', truth)
    union all from recsql_steps.score_against_rank_of('list_facts', 'list_items', recs, k)
    union all from recsql_steps.scores_not_finite_of('list_facts', recs)
    union all from recsql_steps.short_lists_of('list_facts', recs, k)
    union all from recsql_steps.tables_swapped_of('given_recs', 'likely_relevance', 'table_columns', recs)
    union all from recsql_steps.tied_ranks_of('list_facts', 'repeated_ranks', recs)
    union all from recsql_steps.tied_scores_at_k_of('list_facts', recs)
    union all from recsql_steps.users_without_list_of('list_models', 'user_ids', 'list_facts', recs)
) as f
where f.severity is not null
    and coalesce((select error(g.message) from (
        select c.message
        from recsql_steps.check_columns('table_columns', 'recs', recs, ['user_id', 'item_id', 'rank or score']) as c
        union all
        select c.message
        from recsql_steps.check_columns('table_columns', 'truth', truth, ['user_id', 'item_id']) as c
    ) as g), true)
    and coalesce((select error(c.message) from recsql_steps.check_cutoffs(k) as c), true)
    and coalesce((select error(c.message) from recsql_steps.check_one_cutoff(k) as c), true)
order by
    case f.severity when 'error' then 1 when 'warning' then 2 else 3 end asc,
    cast(f.found as double) / nullif(f.total, 0) desc nulls last,
    f.finding asc,
    f.model asc nulls first,
    f.table_name asc,
    f.column_name asc;

comment on macro table recsql.check is
'what is odd about the tables, the worst first
check(recs, truth, k := 10)
from recsql.check(''recs.parquet'', ''truth.parquet'', k := 10)';


commit;
