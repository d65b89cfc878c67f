"""Results on the terminal or in a file, in the format asked for."""

import argparse
import shutil
from dataclasses import replace

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.printing import print_text
from recsql.cli.spelling import on_command_line
from recsql.show import output
from recsql.show.report import Report

FORMATS = (*output.FORMATS, output.PARQUET)
FOR_PEOPLE = ("table", "markdown", "latex")  # with the lines below the table; the others have the rows as they are


def kind_of(asked: argparse.Namespace) -> str:
    """The format of a result: that of --format, or else that of the file's ending, or else a table for people."""
    given = vars(asked).get("format")
    if asked.output:
        return output.format_of(asked.output, given)
    if given == output.PARQUET:
        raise RecsqlError("--format: parquet can't be written to a terminal; name a file with -o")
    return given or "table"


def show(result: pa.Table | None, asked: argparse.Namespace, room: int | None = None) -> None:
    """Prints a result, shortened to `room`, or saves it; nothing if it is already in its file."""
    if result is None:
        return
    kind, on_terminal = kind_of(asked), not asked.output
    if kind == output.PARQUET:
        output.save_parquet(result, asked.output)
    elif kind not in FOR_PEOPLE:
        show_text(output.FORMATS[kind](result), asked)
    else:
        report = Report.of(result).with_rows(vars(asked).get("rows"), width() if on_terminal and kind == "table" else None)
        report = replace(report, notes=[*map(on_command_line, report.notes)])
        text = report.text(room if on_terminal else None) if kind == "table" else getattr(report, kind)()
        show_text(text, asked)


def show_text(text: str, asked: argparse.Namespace) -> None:
    if vars(asked).get("output"):
        output.save(text, asked.output)
    else:
        print_text(text)


def width() -> int | None:
    """The terminal's width in columns; None if the output goes elsewhere."""
    return shutil.get_terminal_size((0, 0)).columns or None
