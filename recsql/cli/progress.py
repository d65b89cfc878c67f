"""The progress of a query: a line on the terminal that disappears when the query ends.

DuckDB's own bar leaves a line for each query of a call.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb

from recsql.base.printing import STATUS

PATIENCE = 2.0  # seconds before progress is shown
INTERVAL = 0.1
BAR = 40


@contextmanager
def watching() -> Iterator[Callable[[duckdb.DuckDBPyConnection], None]]:
    """Yields the function that shows the progress of a connection's queries, until the command ends."""
    ended = Event()
    threads: list[Thread] = []

    def watch(connection: duckdb.DuckDBPyConnection) -> None:
        if sys.stderr.isatty():
            connection.execute("set enable_progress_bar = true")
            connection.execute("set enable_progress_bar_print = false")
            threads.append(Thread(target=show_progress, args=(connection, ended)))
            threads[-1].start()

    try:
        yield watch
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        STATUS.show("")


def show_progress(connection: duckdb.DuckDBPyConnection, ended: Event) -> None:
    """Shows how much of the running query is done; nothing between queries."""
    began = time.monotonic()
    while not ended.wait(INTERVAL):
        share = connection.query_progress()
        is_shown = share >= 0 and time.monotonic() - began > PATIENCE
        STATUS.show(f"[{'#' * int(share / 100 * BAR):<{BAR}}] {share:3.0f}% of this query" if is_shown else "")
