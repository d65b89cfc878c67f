"""One run of the command: from the arguments to the exit status, with its streams, signals, warnings and progress."""

import argparse
import atexit
import gc
import io
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

import duckdb

from recsql.base.errors import RecsqlError
from recsql.base.paths import refuse_same_file, refuse_to_replace, target_of
from recsql.base.printing import STATUS
from recsql.base.wording import as_command, flag
from recsql.cli.parsing import parse
from recsql.cli.running import kind_of
from recsql.cli.spelling import say, show_warning

BAD_INPUT = 1
PATIENCE = 2.0  # seconds before progress is shown
INTERVAL = 0.1
BAR = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status.

    It is 0, 1 for bad input, 2 (from argparse) for wrong usage, 3 for a gate that fails, 4 for one that can't tell, or
    128 plus the number of a signal.
    """
    prepare_streams()
    if arguments is None:
        sys.meta_path.insert(0, WithoutPandas())
        atexit.register(gc.freeze)  # otherwise Python looks for cycles among all objects at the end, for 20 ms
    with as_ctrl_c() as signals, as_command(), watching() as watch, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = partial(show_warning, said=set())
        try:
            asked = parse(arguments)
            guard(asked)
            asked.watch, asked.status = watch, 0
            asked.run(asked)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of the output, such as `head`, has stopped reading
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (RecsqlError, OSError) as error:
            failed = (
                error if isinstance(error, RecsqlError) else f"{error.filename or 'standard output'}: {error.strerror or error}"
            )
            say(failed, "recsql: ")
            return BAD_INPUT
        except KeyboardInterrupt:
            return 128 + next(iter(signals), signal.SIGINT)
    return int(asked.status)


def guard(asked: argparse.Namespace) -> None:
    """Raises RecsqlError if the output file can't be written, or is an input."""
    if "format" in asked:
        kind_of(asked)
    files = {flag(name): path for name in ("output", "summary", "pairs_out") if (path := vars(asked).get(name)) is not None}
    refuse_same_file({name: path for name, path in files.items() if path})
    for name, path in files.items():
        if path == "":
            raise RecsqlError(f"{name}: the path is empty; name a file")
        target_of(path)
        given = [value.values() if isinstance(value, dict) else value for value in asked.settings.values()]
        lists = [[value] if isinstance(value, str | bool) else value or () for value in given]
        refuse_to_replace([one for values in lists for one in values if isinstance(one, str)], path)


# -- the process


def prepare_streams() -> None:
    """Escapes characters that the terminal can't encode, and replaces closed streams, so that no result is lost silently."""
    for name, closed in (("stdout", Closed), ("stderr", io.StringIO)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, closed())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Closed(io.StringIO):
    """Replaces a closed standard output; writing to it raises RecsqlError."""

    def write(self, _: str) -> int:
        raise RecsqlError("standard output is closed; open it, or name a file with -o")


class WithoutPandas:
    """Hides pandas from this process, because PyArrow would import it for 0.2 seconds to ask whether a list is a data frame."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command recsql does without pandas", name=name)


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """Makes signals that end the process act as Ctrl-C, so that no partial file is left; yields the signals received."""
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
    """Yields a function that shows the progress of a connection's queries, in one line that disappears with each."""
    ended = Event()
    threads: list[Thread] = []

    def watch(connection: duckdb.DuckDBPyConnection) -> None:
        if sys.stderr.isatty():
            connection.execute("set enable_progress_bar = true")
            connection.execute("set enable_progress_bar_print = false")  # DuckDB leaves a line for each query of a call
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
    """Shows the section and the number of the running query, or the progress of one that is alone; nothing between queries."""
    began = time.monotonic()
    while not ended.wait(INTERVAL):
        share = connection.query_progress()
        bar = f"[{'#' * int(share / 100 * BAR):<{BAR}}] {share:3.0f}% of this query" if share >= 0 else ""
        said = f"{STATUS.section} {STATUS.query}" if STATUS.section else bar
        STATUS.show(said if time.monotonic() - began > PATIENCE else "")
