"""A walk through a whole evaluation, from ratings to a curve, over real data.

From the root of the repository, with the extra plot (pip install '.[plot]') for the curve:

    python examples/leave_one_out.py [FOLDER]

FOLDER receives the files of each step; the default is a temporary folder.
"""

import sys
import tempfile
from pathlib import Path

import duckdb

import recsql

DATA = Path(__file__).parent / "movietweetings"
RATINGS, PREDICTIONS = (str(DATA / f"{name}.parquet") for name in ("ratings", "predictions"))
MADE = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="recsql-"))
TRAIN, TRUTH, RECS, CURVE = (str(MADE / name) for name in ("train.parquet", "truth.parquet", "recs.parquet", "curve.svg"))

connection = duckdb.connect()


def show(title: str, query: str) -> None:
    print(f"\n{title}\n")
    connection.sql(query).show(max_width=120)


# 1. The last rating of each user is held out. A user's only rating stays in train, because no model could learn about them.
recsql.split(RATINGS, train=TRAIN, truth=TRUTH, protocol="leave_one_out")
for name, path in {"train": TRAIN, "truth": TRUTH}.items():
    connection.read_parquet(path).create_view(name)
show(
    "1. The split",
    """
    select 'train' as part, count(*) as ratings, count(distinct user_id) as users, count(distinct item_id) as films from train
    union all
    select 'truth', count(*), count(distinct user_id), count(distinct item_id) from truth
    order by part""",
)

# 2. Two recommenders in SQL: the films that most users rated, and the films that are most often rated together with a user's.
#    No user has more than 319 films in train, so 20 of the 500 most popular films are left for everybody.
connection.sql(
    """
    with popular as (
        select item_id, count(*) as users from train group by item_id order by users desc, item_id limit 500
    ),
    pairs as (
        select a.item_id as seen, b.item_id, count(*) as users
        from train as a
        join train as b using (user_id)
        group by a.item_id, b.item_id
        having users > 1
    ),
    scored as (
        select 'popular' as model, t.user_id, p.item_id, p.users as score
        from truth as t
        cross join popular as p
        union all
        select 'together', t.user_id, p.item_id, sum(p.users)
        from truth as t
        join train as r on r.user_id = t.user_id
        join pairs as p on p.seen = r.item_id
        group by t.user_id, p.item_id
    ),
    unseen as (from scored anti join train using (user_id, item_id))
    select model, user_id, item_id, row_number() over (partition by model, user_id order by score desc, item_id) as rank
    from unseen
    qualify rank <= 20"""
).write_parquet(RECS)
connection.read_parquet(RECS).create_view("recs")
show(
    "2. The recommendations",
    """
    select model, count(distinct user_id) as lists, count(*) as rows, count(distinct item_id) as films
    from recs
    group by model
    order by model""",
)

# 3. How far are predicted ratings off? The predictions come from other models, and have the rating beside them. item_mean has no
#    prediction for films that it never saw. These pairs are left out and counted, so its errors are of fewer pairs.
errors = recsql.evaluate_ratings(PREDICTIONS, metrics=["mae", "rmse", "r2"])
show(
    "3. The errors of predicted ratings",
    """
    pivot (select model, pairs, missing, metric, round(value, 4) as value from errors)
    on metric in ('mae', 'rmse', 'r2')
    using first(value)
    order by mae""",
)

# 4. Is the held-out film in the top k? How many of the films in train do all lists show together, and how evenly?
#    The check makes sure that each user has one relevant film. A user without a list counts as 0.
METRICS = ["hit", "ndcg", "coverage", "entropy", "gini"]
means = recsql.evaluate(RECS, TRUTH, METRICS, k=[5, 10, 20], train=TRAIN, truth_check="leave_one_out")
show(
    "4. Hits, and how evenly the films are shown",
    "pivot (select metric, k, model, round(value, 4) as value from means) on model using first(value) order by metric, k",
)

# 5. The same at every k. With one relevant film the ideal dcg is 1 at every k, so ndcg and dcg have the same curve.
recsql.curve(RECS, TRUTH, ["ndcg", "dcg"], k=range(1, 21), truth_check="leave_one_out").save(CURVE)
print(f"\n5. The curve\n\n{CURVE}; train, truth and recs are beside it.")
