"""The process of the command: its streams, signals and warnings, and the progress of its queries."""

import io
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb

from recsql.base.errors import RecsqlError
from recsql.base.printing import STATUS, print_error
from recsql.cli.spelling import on_command_line

PATIENCE = 2.0  # seconds before progress is shown
INTERVAL = 0.1
BAR = 40


def say(sentence: object, before: str = "") -> None:
    """Prints a sentence as one line on stderr, in the words of the command line."""
    print_error(f"{before}{on_command_line(str(sentence))}")


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Prints a warning as one line on stderr."""
    say(message, "recsql: warning: ")


def prepare_streams() -> None:
    """Escapes characters that the terminal's encoding lacks, and replaces closed streams, so that no result is lost silently."""
    for name, closed in (("stdout", Closed), ("stderr", io.StringIO)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, closed())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Closed(io.StringIO):
    """Stands in for a closed standard output; writing to it raises RecsqlError."""

    def write(self, _: str) -> int:
        raise RecsqlError("standard output is closed; open it, or name a file with -o")


class WithoutPandas:
    """Finds no pandas for this process.

    The command reads no data frames. PyArrow would import pandas to ask whether a list is one, which takes 0.2 seconds.
    """

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command recsql does without pandas", name=name)


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """Lets the signals that end the process act as Ctrl-C, which leaves no partial file; yields the signals received."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {one: signal.signal(one, stop) for one in ending if signal.getsignal(one) == signal.SIG_DFL}  # nohup ignores SIGHUP
    try:
        yield came
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def watching() -> Iterator[Callable[[duckdb.DuckDBPyConnection], None]]:
    """Yields the function that shows the progress of a connection's queries, until the command ends.

    The line on the terminal disappears when a query ends. DuckDB's own bar leaves a line for each query of a call.
    """
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
