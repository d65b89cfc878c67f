"""Calls made twice, with DuckDB and with Spark, and their results compared."""

from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from recsql.engines.spark import frame_of

KEYS = ("model", "baseline", "slice", "segment", "user_id", "metric", "k", "item_id", "rank", "part")
EXACT = 1e-12  # relative; counts are the same to the last digit


def load(spark: Any, con: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table]) -> None:
    """The tables by name in both."""
    for name, rows in tables.items():
        con.register(name, rows)
        view(spark, name, rows)


def view(spark: Any, name: str, rows: pa.Table) -> None:
    """The rows by name in Spark."""
    frame_of(spark, rows).createOrReplaceTempView(name)


def same(spark: Any, con: duckdb.DuckDBPyConnection, call: Callable[[Any], pa.Table]) -> pa.Table:
    """What both give: the same columns, rows and counts, and numbers that agree to twelve digits."""
    expected, found = call(con), call(spark)
    assert found.column_names == expected.column_names
    assert found.num_rows == expected.num_rows > 0
    keys = [name for name in KEYS if name in expected.column_names]
    for ours, theirs in zip(in_order(expected, keys), in_order(found, keys), strict=True):
        numbers = {name: pytest.approx(value, rel=EXACT, abs=0) for name, value in ours.items() if isinstance(value, float)}
        assert theirs == {**ours, **numbers}
    return found


def in_order(rows: pa.Table, keys: list[str]) -> list[dict[str, Any]]:
    return sorted(rows.to_pylist(), key=lambda row: [(row[key] is not None, str(row[key])) for key in keys])
