"""Intervals in the shell: the macros give what Python gives."""

from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.support import arguments, fetched
from tests.test_rendering import RECS, TRUTH

USERS: list[dict[str, Any]] = [
    {"interval": 0.95},
    {"interval": 0.9, "interval_method": "t", "metrics": ["ndcg", "cg"], "k": 5},
    {"interval": 0.9, "interval_method": "groups", "groups": 8, "metrics": "ap", "k": "all"},
    {"interval": 0.95, "like": "replay", "k": [3, 10]},
    {"interval": 0.95, "metrics": ["f1", "precision"], "f1_average": "of_means"},
    {"interval": 0.95, "duplicates": "count", "metrics": ["recall", "precision"]},
    {"interval": 0.9, "interval_method": "wilson", "relevance_threshold": 0.5, "metrics": "ndcg"},
]
ITEMS: list[dict[str, Any]] = [
    {"interval": 0.95, "metrics": "coverage", "catalog_size": 5000},
    {"interval": 0.8, "groups": 16, "metrics": ["entropy", "gini"], "k": 5, "catalog_size": 5000},
    {"interval": 0.95, "metrics": "entropy", "entropy_scope": "list"},
    {"interval": 0.95, "metrics": "gini", "gini_weight": "exposure", "gini_population": "recommended", "k": [3, 5]},
    {"interval": 0.9, "metrics": ["novelty", "popularity"], "train": TRUTH, "k": 5},
]
RATINGS: list[dict[str, Any]] = [{"interval": 0.95}, {"interval": 0.9, "interval_method": "groups", "metrics": "rmse"}]


def rows(con: duckdb.DuckDBPyConnection, macro: str, call: dict[str, Any], *tables: str) -> list[dict[str, Any]]:
    given = ", ".join(f"'{table}'" for table in tables)
    return fetched(con, f"from recsql.{macro}({given}{arguments(call)})")


@pytest.mark.parametrize("call", USERS, ids=str)
def test_means_over_users(con: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    found = rows(con, "evaluate", call, RECS, TRUTH)
    assert found == recsql.evaluate(RECS, TRUTH, **call).to_pylist()
    assert any(row["low"] is not None for row in found)


@pytest.mark.parametrize("call", ITEMS, ids=str)
def test_all_lists_together(con: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    found = rows(con, "item_metrics", call, RECS)
    assert found == recsql.item_metrics(RECS, **call).to_pylist()
    assert any(row["low"] is not None for row in found)


@pytest.mark.parametrize("call", RATINGS, ids=str)
def test_ratings(connection: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    pairs = [(user, item, (user * item) % 5 + 1.0, (user + item) % 5 + 1.0) for user in range(60) for item in range(user % 7 + 1)]
    names = ("user_id", "item_id", "prediction", "rating")
    rated = pa.table(dict(zip(names, map(list, zip(*pairs, strict=True)), strict=True)))
    connection.register("rated", rated)
    found = rows(connection, "rating_metrics", call, "rated")
    assert found == recsql.evaluate_ratings(rated, **call).to_pylist()
    assert any(row["low"] is not None for row in found)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"interval": 0.4}, "interval: 0.4 is not above 0.5 and below 1"),
        ({"interval": 1}, "interval: 1 is not above 0.5 and below 1"),
        ({"groups": 32}, "groups: it applies only with interval"),
        (
            {"interval": 0.9, "interval_method": "wilson", "metrics": "cg"},
            "wilson needs a mean of values from 0 to 1, which cg need not",
        ),
    ],
)
def test_what_they_refuse(con: duckdb.DuckDBPyConnection, call: dict[str, Any], says: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=says):
        rows(con, "evaluate", call, RECS, TRUTH)
