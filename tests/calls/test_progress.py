"""DuckDB's progress bar. If it fails, a notebook's or a script's output has lines that nobody asked for."""

from collections.abc import Callable

import duckdb
import pytest

import recsql
from recsql.engines import duckdb as engine

SETTING = "select current_setting('enable_progress_bar')"


def barred() -> duckdb.DuckDBPyConnection:
    """A connection as DuckDB makes it in a notebook."""
    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = true")
    return connection


def test_a_connection_of_ours_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[duckdb.DuckDBPyConnection] = []

    def connect(_: Callable[[], None] = lambda: None) -> duckdb.DuckDBPyConnection:
        made.append(barred())
        return made[-1].cursor()

    monkeypatch.setattr(engine, "connect", connect)
    ours = engine.DuckDB()
    assert ours.connection.execute(SETTING).fetchall() == [(False,)]
    ours.release()


def test_that_of_a_user_is_left_alone() -> None:
    with barred() as connection:
        recsql.evaluate({"u1": {"a": 1.0}}, {"u1": {"a": 1}}, "hit@1", connection=connection)
        assert connection.execute(SETTING).fetchall() == [(True,)]
