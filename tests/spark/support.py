"""Calls made twice, with DuckDB and with Spark, and their results compared."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.engines.spark import frame_of
from tests import support
from tests.support import Case, RowCase, agree, python_mean, python_per_user, python_row

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


def check_in_spark(spark: Any, con: duckdb.DuckDBPyConnection, case: Case, *, averaged: bool = True) -> None:
    """The case gives in Spark what it must, and what DuckDB gives; bad input the same sentence.

    averaged: whether also its mean is computed where it states the users' values.
    """
    support.load(con, case)
    for name in ("recs", "truth", "looked_at"):
        view(spark, name, con.table(name).to_arrow_table())
    if case.error:
        same_sentence(spark, con, lambda connection: python_per_user(connection, case), case.error)
        return
    if case.per_user is not None:
        found = python_per_user(spark, case)
        agree(found, python_per_user(con, case), EXACT)
        agree(found, case.per_user, case.tolerance)
        if not averaged:
            return
    mean, users = python_mean(spark, case)
    expected, counted = python_mean(con, case)
    assert mean == pytest.approx(expected, rel=EXACT)
    assert users == counted
    if case.mean is not None:
        assert mean == pytest.approx(case.mean, rel=0, abs=case.tolerance)


def check_row_in_spark(spark: Any, con: duckdb.DuckDBPyConnection, case: RowCase) -> None:
    """The same for a metric of all lists together, or of ratings."""
    load(spark, con, case.tables)
    if case.error:
        same_sentence(spark, con, lambda connection: python_row(connection, case), case.error)
        return
    row = python_row(spark, case)
    agree(row, python_row(con, case), EXACT)
    agree({name: row[name] for name in case.row}, case.row, case.tolerance)


def same_sentence(spark: Any, con: duckdb.DuckDBPyConnection, call: Callable[[Any], object], error: str) -> None:
    """Both refuse, in the same words."""
    sentences = []
    for connection in (con, spark):
        with pytest.raises(recsql.RecsqlError, match=f"(?i){error}") as refused:
            call(connection)
        sentences.append(str(refused.value))
    assert sentences[0].lower() == sentences[1].lower()  # DuckDB writes nan, Spark NaN


def same(spark: Any, con: duckdb.DuckDBPyConnection, call: Callable[[Any], pa.Table]) -> pa.Table:
    """What both give: the same columns, rows and counts, and numbers that agree to twelve digits."""
    expected, found = call(con), call(spark)
    assert found.column_names == expected.column_names
    assert found.num_rows == expected.num_rows > 0
    keys = [name for name in KEYS if name in expected.column_names]
    for ours, theirs in zip(in_order(expected, keys), in_order(found, keys), strict=True):
        for name, value in ours.items():
            assert alike(theirs[name], value), (name, ours, theirs)
    return found


def in_order(rows: pa.Table, keys: list[str]) -> list[dict[str, Any]]:
    return sorted(rows.to_pylist(), key=lambda row: [(row[key] is not None, str(row[key])) for key in keys])


def alike(found: Any, expected: Any) -> bool:
    """Equal, or numbers that agree to twelve digits; NULL is NULL."""
    if found is None or expected is None or not isinstance(expected, float):
        return bool(found == expected)
    return math.isclose(found, expected, rel_tol=EXACT, abs_tol=1e-300)
