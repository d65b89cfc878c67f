"""A DuckDB connection for several calls over the same tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import duckdb

from recsql.base.statement import Statement
from recsql.engines.duckdb import DuckDB

FOUND = ("fingerprints", "users", "ideals", "likely_hits", "possible_hits", "hits", "list_ranks", "lists", "repeated_ranks")
COMMON = ("sampled", "sampled_recs", "sampled_truth", *FOUND)  # steps of several queries


class Shared(DuckDB):
    """A connection that reads text files once, and computes some steps once, for all calls whose queries have the same text."""

    in_transactions = True  # so that steps with a hash that is salted by the time fit together

    def __init__(self, connection: duckdb.DuckDBPyConnection | None) -> None:
        super().__init__(connection)
        self._known: dict[str, str] = {}  # where the rows of a query are
        self._kept: list[str] = []

    def release(self) -> None:
        """Frees the names of what was registered for a call, so that the next one reads it by the same names."""
        for view in self._views:
            self.connection.unregister(view)
        self._views.clear()

    def close(self) -> None:
        self._tables += self._kept
        super().release()

    def keep_once(self, name: str, text: str) -> str:
        if text not in self._known:
            self._known[text] = super().keep_once(name, text)
        return self._known[text]

    def _ready(self, text: Statement) -> Statement:
        return super()._ready(text.reading(COMMON, self._once))

    def _once(self, name: str, rows: Statement) -> str:
        """Stores the rows of a step unless an earlier query has; returns the text that follows AS."""
        if rows not in self._known:
            self._known[rows] = self._settled(name, super()._ready(rows))
            self._kept.append(self._tables.pop())
        return self._known[rows]

    @contextmanager
    def _in_transaction(self, text: str) -> Iterator[None]:
        known = dict(self._known)
        try:
            with super()._in_transaction(text):
                yield
        except BaseException:
            self._known = known  # without the tables that are rolled back
            raise


SHARED: ContextVar[Shared | None] = ContextVar("SHARED", default=None)


@contextmanager
def sharing(connection: object) -> Iterator[None]:
    """Calls within use one DuckDB connection, and compute the steps once that they have in common. Those on Spark do not."""
    if SHARED.get() is not None or not isinstance(connection, duckdb.DuckDBPyConnection | None):
        yield
        return
    engine = Shared(connection)
    before = SHARED.set(engine)
    try:
        yield
    finally:
        SHARED.reset(before)
        engine.close()
