"""What most commands do: gather the arguments of a function of recsql, call it, and show what it returns."""

import argparse
import os
from collections.abc import Callable

import duckdb
import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.text import literal
from recsql.base.wording import flag
from recsql.catalog.headers import Value
from recsql.cli.results import kind_of, show, show_text
from recsql.engines.duckdb_words import first_words
from recsql.show import output

MOST_THREADS = 1024


def calls(function: Callable[..., pa.Table | str | None], *, is_long: bool = False) -> Callable[[argparse.Namespace], None]:
    """A run that calls a function, and shows the table or the text that it returns.

    If the result `is_long`, it may have more rows than memory, so the function writes them to a Parquet file itself.
    """

    def run(asked: argparse.Namespace) -> None:
        result = function(**arguments(asked), **({"into": parquet_out(asked)} if is_long else {}))
        if isinstance(result, str):
            show_text(result, asked)
        else:
            show(result, asked)

    return run


def arguments(asked: argparse.Namespace) -> dict[str, Value]:
    """The arguments of the command's function: tables, metrics, names of columns, options and the connection."""
    given = {name: asked.command.flags[name].read(value) for name, value in asked.settings.items()}
    return given | ({"connection": connect(asked)} if "threads" in asked else {})


def parquet_out(asked: argparse.Namespace) -> str | None:
    """The Parquet file for rows that are not returned, because there may be more of them than memory."""
    return as_path(asked.output) if asked.output and kind_of(asked) == output.PARQUET else None


def as_path(path: str) -> str:
    return path if os.path.dirname(path) else os.path.join(os.curdir, path)  # a bare name could also be a table


def connect(asked: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """Opens a connection with the limits asked for, whose progress is shown."""
    if asked.threads is not None and not (asked.threads.isdecimal() and 1 <= int(asked.threads) <= MOST_THREADS):
        raise RecsqlError(f"--threads: {asked.threads} is not a number from 1 to {MOST_THREADS}")
    if asked.memory_limit and asked.memory_limit.lstrip().startswith("-"):  # DuckDB takes a negative limit as no limit
        raise RecsqlError(f"--memory-limit: {asked.memory_limit} is below zero; give a size such as 4GB")
    made = duckdb.connect()
    for name in ("threads", "temp_directory", "memory_limit"):
        if (value := getattr(asked, name)) is not None:
            set_limit(made, name, value)
    made.execute("set enable_progress_bar = false")  # DuckDB's own, which it shows in a terminal
    asked.watch(made)
    return made


def set_limit(connection: duckdb.DuckDBPyConnection, name: str, value: str) -> None:
    """Sets one of the limits; raises RecsqlError if DuckDB refuses it."""
    try:
        connection.execute(f"set {name} = {literal(value)}")
        connection.execute("select 1").fetchall()
    except duckdb.OutOfMemoryException:
        raise RecsqlError(f"{flag(name)}: {value} is too small to run a query; give more, such as 4GB") from None
    except duckdb.Error as error:
        way = "; give a size such as 4GB" if name == "memory_limit" else ""
        raise RecsqlError(f"{flag(name)}: DuckDB rejects {value!r}: {first_words(error)}{way}") from None
