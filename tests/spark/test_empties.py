"""The grid of empties, with what its own tests expect of DuckDB, computed by Spark.

If it fails, on Spark, users without a list or without truth count in the wrong way.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import pytest

import recsql
import tests.cases.test_empties as empties
from tests.cases.test_empties import test_grid, test_list_without_truth_counts_zero, test_users_without_a_list_left_out  # noqa: F401
from tests.spark.support import view


@pytest.fixture(autouse=True)
def on_spark(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests imported above compute with Spark."""
    given = empties.given

    def given_both(
        connection: duckdb.DuckDBPyConnection, recs: Sequence[int], truth: Sequence[int], models: Sequence[str] = ()
    ) -> None:
        given(connection, recs, truth, models)
        for name in ("recs", "truth"):
            view(spark, name, connection.table(name).to_arrow_table())

    def asked(connection: object, function: str, way: str = "query", **options: Any) -> list[dict[str, Any]]:
        measure = {"evaluate": recsql.evaluate, "per_user": recsql.per_user}[function]
        rows: list[dict[str, Any]] = measure("recs", "truth", "all", 2, connection=spark, catalog_size=10, **options).to_pylist()
        return rows

    monkeypatch.setattr(empties, "given", given_both)
    monkeypatch.setattr(empties, "asked", asked)


@pytest.fixture
def connection(con: duckdb.DuckDBPyConnection) -> Any:
    with con.cursor() as cursor:
        yield cursor
