"""Settings of the caller's connection change no bit of a result.

If it fails, a session with another order, time zone or division has other numbers, and nobody sees why.
"""

import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.random_data import random_data

DATA = random_data(7, users=20, models=("a", "b", None), ties=True, text=True, relevances=(0.0, 1.0, 3.0))
RECS = DATA.recs_table("model", "user_id", "item_id", "rank", "score")
TRUTH = DATA.truth_table("user_id", "item_id", "relevance")
SCORED = RECS.drop_columns("rank")
DRAW = random.Random(3)
LOG = pa.table(
    {
        "user_id": [user for user in range(9) for _ in range(7)],
        "item_id": [item for _ in range(9) for item in DRAW.sample(range(12), 7)],
        "ts": [datetime(2026, 3, 28, 22) + timedelta(hours=DRAW.randrange(60)) for _ in range(63)],
        "rating": [float(DRAW.randint(1, 5)) for _ in range(63)],
        "prediction": [DRAW.uniform(1, 5) for _ in range(63)],
    }
)
USERS = sorted({*RECS["user_id"].to_pylist()})
HALF = pa.table({"user_id": USERS, "half": [("x", "y", None)[place % 3] for place, _ in enumerate(USERS)]})
ORDER = {"order_by": "ts"}
CALLS: Mapping[str, Callable[..., pa.Table]] = {
    "evaluate": lambda **c: recsql.evaluate(
        RECS, TRUTH, ["ndcg", "ap", "gini", "f1(average=of_means)"], [1, 3], **c, catalog_size=30
    ),
    "intervals": lambda **c: recsql.evaluate(RECS, TRUTH, ["ndcg", "entropy", "recall(mean=micro)"], 3, interval=0.9, **c),
    "slices": lambda **c: recsql.evaluate(RECS, TRUTH, "ndcg", 3, by="half", segments=HALF, min_users=1, **c),
    "ties": lambda **c: recsql.evaluate(SCORED, TRUTH, ["ndcg", "ap"], [1, 3], ties="expected", **c),
    "per_user": lambda **c: recsql.per_user(SCORED, TRUTH, ["ndcg", "rr"], [1, 3], **c),
    "compare": lambda **c: recsql.compare(RECS, TRUTH, ["ndcg", "ap"], [1, 3], **c),
    "compare by signs": lambda **c: recsql.compare(RECS, TRUTH, "ndcg", 3, test="wilcoxon", **c),
    "check": lambda **c: recsql.check(RECS, TRUTH, metrics=["ndcg"], k=3, level="full", **c),
    "fuse": lambda **c: recsql.fuse(SCORED, **c),
    "fuse scores": lambda **c: recsql.fuse(SCORED, "comb_mnz", order="asc", **c),
    "ratings": lambda **c: recsql.evaluate_ratings(LOG, None, ["rmse", "median_ae", "r2"], interval=0.9, **c),
    "temporal": lambda **c: recsql.split(LOG, protocol="temporal", cut="2026-03-29 20:00", **ORDER, **c),
    "backtest": lambda **c: recsql.split(LOG, protocol="backtest", cut="2026-03-29 06:00", window="12 hours", **ORDER, **c),
    "last_n": lambda **c: recsql.split(LOG, protocol="last_n", n=2, ties="together", core=2, **ORDER, **c),
    "random": lambda **c: recsql.split(LOG, protocol="random", fraction=0.3, **c),
    "labels": lambda **c: recsql.labels(LOG, start="2026-03-29", window="1 day", aggregate="count", **c),
}
SETTINGS = [
    "default_order = 'desc'",
    "default_null_order = 'nulls_first'",
    "integer_division = true",
    "ieee_floating_point_ops = false",
    "TimeZone = 'America/New_York'",
    "preserve_insertion_order = false",
    "default_collation = 'nocase'",
]
IN_ORDER = ("evaluate", "intervals", "slices", "ties", "per_user", "compare", "compare by signs", "check", "ratings")


def found(call: str, *settings: str) -> Any:
    """The rows to the last bit, sorted if their order is not promised, and the metadata."""
    with duckdb.connect() as connection:
        for one in settings:
            connection.execute(f"set {one}")
        table = CALLS[call](connection=connection)
    rows = [
        str({name: value.hex() if isinstance(value, float) else value for name, value in row.items()})
        for row in table.to_pylist()
    ]
    return rows if call in IN_ORDER else sorted(rows), table.schema.metadata


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_a_setting_changes_nothing(call: str) -> None:
    """Together, and by halves, where none hides what another does."""
    usual = found(call)
    for some in (SETTINGS, SETTINGS[::2], SETTINGS[1::2]):
        assert found(call, *some) == usual, some
