"""Queries of `sql/report` over the rows of a result."""

from functools import cache

import duckdb
import pyarrow as pa

from recsql.catalog import catalog
from recsql.engines.duckdb import DuckDB
from recsql.engines.shared import SHARED
from recsql.query.templates import dialect, rendered


def over_result(name: str, rows: pa.Table, further: pa.Table | None = None, **context: object) -> pa.Table:
    """The rows of a query over the rows of a result, which are `values` there; `further` rows have that name."""
    engine = SHARED.get() or DuckDB(local().cursor())
    tables = {"values": rows, **({} if further is None else {"further": further})}
    try:
        named = {one: engine.register(one, table.replace_schema_metadata(None)) for one, table in tables.items()}
        return engine.query(rendered(catalog().report[name].path, {"sql": dialect(engine.dialect), **named, **context}))
    finally:
        engine.release()


@cache
def local() -> duckdb.DuckDBPyConnection:
    """A database for all of them, as making one takes longer than a query. It has no threads, which a fork would lose."""
    return duckdb.connect(config={"threads": 1})
