"""The distributions give in Spark what they give in DuckDB.

If it fails, p-values and intervals are wrong on Spark.
"""

from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.spark.support import view
from tests.sql.test_distributions import DEGREES, STATISTICS, TAILS, expressed, points


def both(spark: Any, con: duckdb.DuckDBPyConnection, rows: pa.Table, queries: dict[str, str]) -> tuple[list[Any], list[Any]]:
    """The values of a query over the rows, in either engine, sorted."""
    con.register("points", rows)
    view(spark, "points", rows)
    tables = spark.sql(queries["spark"]).toArrow(), con.sql(queries["duckdb"]).to_arrow_table()
    found, expected = (sorted(tuple(row.values()) for row in table.to_pylist()) for table in tables)
    return [value for row in found for value in row], [value for row in expected for value in row]


def test_tail_of_t(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    engines = ("duckdb", "spark")
    queries = {name: f"select s.t, s.df, s.p from ({expressed('t_tail', 'points', name)}) as s" for name in engines}
    found, expected = both(spark, con, points(t=STATISTICS, df=DEGREES), queries)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_quantile_of_t(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    queries = {name: expressed("t_quantile", "points", name) for name in ("duckdb", "spark")}
    found, expected = both(spark, con, points(tail=TAILS, df=DEGREES), queries)
    assert found == pytest.approx(expected, rel=1e-12)
