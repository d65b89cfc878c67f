"""The run of most commands: gathers the arguments of a function of recsql, calls it, and shows the result."""

import argparse
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.printing import print_text
from recsql.base.text import literal
from recsql.base.wording import flag
from recsql.catalog.headers import Given
from recsql.cli.spelling import on_command_line
from recsql.display import output
from recsql.display.drawing import DRAWN, Chart, drawer
from recsql.display.shown import Shown
from recsql.engines.duckdb_words import first_words

GITHUB, CHART = "github", "chart"  # the format of annotations, which only check has, and pictures of ranks
MOST_THREADS = 1024


def calls(function: Callable[..., pa.Table | str | None], *, is_long: bool = False) -> Callable[[argparse.Namespace], None]:
    """A run that calls a function and shows its result; one that `is_long` is written to Parquet files by the function itself."""

    def run(asked: argparse.Namespace) -> None:
        result = function(**arguments(asked), **({"into": parquet_out(asked)} if is_long else {}))
        if isinstance(result, str):
            show_text(result, asked)
        else:
            show(result, asked)

    return run


def ranks(rank: Callable[..., pa.Table], draw: Callable[[pa.Table], Chart]) -> Callable[[argparse.Namespace], None]:
    """A run that shows or draws ranks. The last table is the truth, or the only one."""

    def run(asked: argparse.Namespace) -> None:
        given = arguments(asked)
        result = rank(given.pop("recs", None) or given.pop("truth"), pairs_out=asked.pairs_out, **given)
        draw(result).save(asked.output) if kind_of(asked) == CHART else show(result, asked)

    return run


def arguments(asked: argparse.Namespace) -> dict[str, Given]:
    """The arguments of the command's function: tables, metrics, names of columns, options and the connection."""
    given = {name: asked.command.flags[name].read(value) for name, value in asked.settings.items()}
    return given | ({"connection": connect(asked)} if "threads" in asked else {})


def parquet_out(asked: argparse.Namespace) -> str | None:
    """The Parquet file that the function writes itself, because its rows may not fit into memory."""
    return as_path(asked.output) if asked.output and kind_of(asked) == output.PARQUET else None


def as_path(path: str) -> str:
    return path if os.path.dirname(path) else os.path.join(os.curdir, path)  # a bare name can also be a table


def connect(asked: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """Opens a connection with the limits asked for, and shows the progress of its queries."""
    if asked.threads is not None and not (asked.threads.isdecimal() and 1 <= int(asked.threads) <= MOST_THREADS):
        raise RecsqlError(f"--threads: {asked.threads} is not a number from 1 to {MOST_THREADS}")
    if asked.memory_limit and asked.memory_limit.lstrip().startswith("-"):  # DuckDB takes a negative limit as no limit
        raise RecsqlError(f"--memory-limit: {asked.memory_limit} is below zero; give a size such as 4GB")
    made = duckdb.connect()
    for name in ("threads", "temp_directory", "memory_limit"):
        if (value := getattr(asked, name)) is None:
            continue
        try:
            made.execute(f"set {name} = {literal(value)}")
            made.execute("select 1").fetchall()
        except duckdb.OutOfMemoryException:
            raise RecsqlError(f"{flag(name)}: {value} is too small to run a query; give more, such as 4GB") from None
        except duckdb.Error as error:
            way = "; give a size such as 4GB" if name == "memory_limit" else ""
            raise RecsqlError(f"{flag(name)}: DuckDB rejects {value!r}: {first_words(error)}{way}") from None
    made.execute("set enable_progress_bar = false")  # DuckDB's own, which it shows in a terminal
    asked.watch(made)
    return made


# -- results


def kind_of(asked: argparse.Namespace) -> str:
    """The format of a result: that of --format, else that of the file's ending, else a table for people."""
    given = vars(asked).get("format")
    if asked.output and "pairs_out" in asked and given is None and Path(asked.output).suffix.lower() in DRAWN:  # of ranks
        drawer(asked.output)  # raises RecsqlError if nothing can draw
        return CHART
    if asked.output:
        return output.format_of(asked.output, given)
    if given == output.PARQUET:
        raise RecsqlError("--format: parquet can't be written to a terminal; name a file with -o")
    return given or "table"


def show(result: pa.Table | None, asked: argparse.Namespace, room: int | None = None) -> None:
    """Prints a result, shortened to `room`, or saves it; does nothing if the function has written its file."""
    if result is None:
        return
    kind, on_terminal = kind_of(asked), not asked.output
    if kind == output.PARQUET:
        output.save_parquet(result, asked.output)
    elif of_rows := output.FORMATS[kind].of_rows:
        show_text(of_rows(result), asked)
    else:  # for people, with the lines below the table
        sort = vars(asked).get("sort")
        shown = Shown.of(result, sort).with_rows(
            vars(asked).get("rows") or (sort and "models"), width() if on_terminal and kind == "table" else None
        )
        prose = "\n".join(map(on_command_line, shown.prose.split("\n")))
        shown = replace(shown, notes=[*map(on_command_line, shown.notes)], prose=prose)
        text = shown.text(room if on_terminal else None) if kind == "table" else getattr(shown, kind)()
        show_text(text, asked)


def show_text(text: str, asked: argparse.Namespace) -> None:
    if vars(asked).get("output"):
        output.save(text, asked.output)
    else:
        print_text(text, commands=vars(asked).get("format") == GITHUB)


def width() -> int | None:
    """The terminal's width in columns; None if the output goes elsewhere."""
    return shutil.get_terminal_size((0, 0)).columns or None
