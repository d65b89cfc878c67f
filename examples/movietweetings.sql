-- A walk through recsql in the DuckDB shell, over real data. From the root of the repository:
--
--     duckdb < examples/movietweetings.sql
--
-- Conventions of other libraries are files that `recsql macros` makes: see docs/shell.md.

.read sql/recsql.sql

-- Four recommenders' lists, and what their users then rated: see examples/movietweetings/README.md.
create view recs as from 'examples/movietweetings/recs.parquet';
create view truth as from 'examples/movietweetings/truth.parquet';
create view items as from 'examples/movietweetings/items.parquet';

-- 1. One row per model, metric and k. Files work like views.
select model, metric, k, round(value, 6) as value, users
from recsql.evaluate(
    'examples/movietweetings/recs.parquet', 'examples/movietweetings/truth.parquet', k := [5, 10], metrics := ['ndcg', 'recall']
);

-- 2. The models side by side. Popularity wins, because it alone has lists for new users.
pivot (
    select model, metric || '@' || k as metric, round(value, 4) as value
    from recsql.evaluate('recs', 'truth', k := 10, metrics := ['precision', 'recall', 'ap', 'ndcg', 'rr', 'hit'])
) on model using first(value) order by metric;

-- 3. Whom do the models fail? The users with the most relevant items and no hit.
select u.user_id, any_value(t.relevant) as relevant, max(u.ndcg) as best_ndcg
from recsql.per_user('recs', 'truth', k := 20) as u
join (select user_id, count(*) as relevant from truth group by user_id) as t using (user_id)
group by u.user_id
having max(u.ndcg) = 0
order by relevant desc, u.user_id
limit 5;

-- 4. One list row by row: each hit adds its gain times the discount of its rank to the dcg.
select rank, title, relevance, hit, round(discount, 3) as discount, round(dcg, 3) as dcg
from recsql.hits('recs', 'truth', k := 10)
join items using (item_id)
where model = 'ease' and user_id = 15558
order by rank;

-- 5. The best list possible for this user: nDCG divides by its last idcg.
select rank, title, relevance, round(idcg, 3) as idcg
from recsql.ideal('truth', k := 10)
join items using (item_id)
where user_id = 15558
order by rank;

-- 6. Any metric over two lists: two hits of three relevant items, at ranks 1 and 3.
select
    recsql.precision(['a', 'b', 'c'], ['a', 'c', 'd'], 3) as precision,
    recsql.ap(['a', 'b', 'c'], ['a', 'c', 'd'], 3) as ap,
    recsql.ndcg(['a', 'b', 'c'], ['a', 'c', 'd'], 3, relevance := [1, 2, 3]) as ndcg;

-- 7. Scores without ranks. Some films have the same score: the smaller item_id is first.
with scored as (
    select user_id, item_id, round(score, -2) as score from recs where model = 'pop' and user_id = 15558
)
from recsql.rank_by_score('scored', k := 5);

-- 8. The films with the most hits of popularity, and how often it recommends them.
select title, count(*) filter (where h.hit) as hit, count(*) as recommended, round(avg(h.hit::int), 4) as share
from recsql.hits('recs', 'truth', k := 10) as h
join items using (item_id)
where model = 'pop'
group by title
order by hit desc, title
limit 5;
