"""What the flags of a command ask for."""

import argparse
import os
import re
from typing import Any

import duckdb

from recsql.base.errors import RecsqlError
from recsql.base.text import literal
from recsql.base.wording import flag
from recsql.catalog.grammar import cutoff
from recsql.catalog.headers import Value
from recsql.catalog.options import parse_number
from recsql.cli.results import kind_of
from recsql.engines.duckdb_words import first_words
from recsql.show import output

MOST_THREADS = 1024


def cutoff_text(asked: argparse.Namespace) -> str | None:
    """The cut-offs in the flags, or else the command's own default."""
    return asked.usual_k if asked.k is None else ",".join(asked.k)


def cutoffs(asked: argparse.Namespace) -> list[Any] | None:
    """The cut-offs as a list; None for the function's default."""
    text = cutoff_text(asked)
    return None if text is None else [k for part in text.split(",") if part.strip() for k in span(part.strip())]


def span(text: str) -> list[Any]:
    """The cut-offs in `10` or `1..20`."""
    if ".." not in text:
        return [parse_number(text)]
    ends = re.fullmatch(r"(\d+)\.\.(\d+)", text)
    ks = list(range(cutoff(int(ends[1])), cutoff(int(ends[2])) + 1)) if ends else []
    if not ks:
        raise RecsqlError(f"k: {text} is not a range of cut-offs; write it like 1..20")
    return ks


def metric_names(asked: argparse.Namespace) -> list[str] | None:
    """The metrics, split at commas outside brackets; None for the default metrics."""
    return None if asked.metric is None else [name for text in asked.metric for name in re.split(r",(?![^(]*\))", text)]


def settings(asked: argparse.Namespace) -> dict[str, Value]:
    """The column names, the options and the connection."""
    return {**options(asked), "connection": connection(asked)}


def options(asked: argparse.Namespace) -> dict[str, Value]:
    """The options, and the column names."""
    flags = vars(asked).items()
    given = {name.partition("_")[2]: value for name, value in flags if name.startswith(("column_", "option_"))}
    found = {name: value for name, value in given.items() if value is not None}
    return found | ({"relevance": None} if found.get("relevance") == "none" else {})


def parquet_out(asked: argparse.Namespace) -> str | None:
    """The Parquet file for rows that are not returned, because there may be more of them than memory."""
    path: str | None = asked.output
    return as_path(path) if path and kind_of(asked) == output.PARQUET else None


def users_out(asked: argparse.Namespace) -> str | None:
    """The Parquet file for the users behind a comparison."""
    path: str | None = asked.users_out
    if path is None:
        return None
    if not path or (asked.output is not None and os.path.realpath(path) == os.path.realpath(asked.output)):
        raise RecsqlError(f"--users-out: {'it is the file of --output' if path else 'the path is empty'}; name another file")
    return as_path(path)


def as_path(path: str) -> str:
    return path if os.path.dirname(path) else os.path.join(os.curdir, path)  # a bare name could also be a table


def connection(asked: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """A connection with the limits asked for, whose progress is shown."""
    if asked.threads is not None and not (asked.threads.isdecimal() and 1 <= int(asked.threads) <= MOST_THREADS):
        raise RecsqlError(f"--threads: {asked.threads} is not a number from 1 to {MOST_THREADS}")
    if asked.memory_limit and asked.memory_limit.lstrip().startswith("-"):  # DuckDB takes a negative limit as no limit
        raise RecsqlError(f"--memory-limit: {asked.memory_limit} is below zero; give a size such as 4GB")
    made = duckdb.connect()
    for name in ("threads", "temp_directory", "memory_limit"):
        if (value := getattr(asked, name)) is not None:
            limit(made, name, str(value))
    made.execute("set enable_progress_bar = false")  # DuckDB's own, which it shows in a terminal
    asked.watch(made)
    return made


def limit(connection: duckdb.DuckDBPyConnection, name: str, value: str) -> None:
    """Sets one of the limits; raises RecsqlError if DuckDB refuses it."""
    try:
        connection.execute(f"set {name} = {literal(value)}")
        connection.execute("select 1").fetchall()
    except duckdb.OutOfMemoryException:
        raise RecsqlError(f"{flag(name)}: {value} is too small to run a query; give more, such as 4GB") from None
    except duckdb.Error as error:
        way = "; give a size such as 4GB" if name == "memory_limit" else ""
        raise RecsqlError(f"{flag(name)}: DuckDB rejects {value!r}: {first_words(error)}{way}") from None
