"""Users without a list and users without truth, under each option about them, as DuckDB counts them.

If it fails, on Spark, users without a list or without truth count in the wrong way.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import pytest

import recsql
from tests.cases import test_empties as empties
from tests.spark.support import load, same

METRICS = ["hit", "ndcg", "fn", "tn"]  # 0 or 1 without a hit, 0 / 0 without truth, and counts of what no list has


def given(spark: Any, con: duckdb.DuckDBPyConnection, recs: str, truth: str, models: Sequence[str] = ()) -> None:
    empties.given(con, empties.USERS[recs], empties.JUDGED[truth], models)
    load(spark, con, {name: con.table(name).to_arrow_table() for name in ("recs", "truth")})


@pytest.mark.parametrize(
    "options",
    [{}, {"no_recs": "skip"}, {"users": "intersection"}, {"users": "union"}, {"no_truth": "zero"}],
    ids=str,
)
def test_users_of_one_side(spark: Any, con: duckdb.DuckDBPyConnection, options: dict[str, str]) -> None:
    given(spark, con, "partial", "partial")
    same(spark, con, lambda con: recsql.per_user("recs", "truth", METRICS, 2, catalog_size=10, connection=con, **options))


def test_nobody_has_a_list(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    given(spark, con, "empty", "partial", ["m"])
    same(spark, con, lambda con: recsql.evaluate("recs", "truth", METRICS, 2, catalog_size=10, connection=con))


def test_nobody_has_truth(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    given(spark, con, "partial", "empty", ["m", "n"])
    for connection in (con, spark):
        with pytest.raises(recsql.BadInput, match=r"no user in .*truth.* has a relevant item"):
            recsql.evaluate("recs", "truth", METRICS, 2, catalog_size=10, connection=connection)
