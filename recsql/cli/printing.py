"""Results on the terminal or in a file. The only module that prints."""

import argparse
from collections.abc import Callable

import pyarrow as pa

from recsql import output


def show(
    result: pa.Table | None,
    asked: argparse.Namespace,
    for_people: Callable[[pa.Table], pa.Table] = lambda table: table,
    note: str = "",
) -> None:
    """A result on the terminal or in a file, in the format asked for; nothing where it has gone into its file already."""
    if result is None:
        return
    kind = output.format_of(asked.output) if asked.output else asked.format
    if kind == "parquet":
        output.save_parquet(result, asked.output)
        return
    text = output.FORMATS[kind](for_people(result) if kind in output.FOR_PEOPLE else result)
    show_text(f"{text}\n\n{note}" if kind == "table" and note else text, asked)


def show_text(text: str, asked: argparse.Namespace) -> None:
    if asked.output:
        output.save(text, asked.output)
    else:
        print(text)
