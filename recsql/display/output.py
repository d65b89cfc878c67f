"""Results as text: an aligned table for people, tidy rows for programs."""

import csv
import json
import re
import sys
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.paths import path_text, whole
from recsql.base.text import on_one_line
from recsql.base.wording import all_rows

SHOWN = 40  # rows of a long result that people see
TO_THE_RIGHT = {"align": "right"}  # the metadata of a text field that is aligned to the right
LONGEST = {"text": 60, "titles": 60}  # the most characters of texts beside ids
LEAST_WIDTH = 12  # of a shortened column, in characters
TEX = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {c: rf"\{c}" for c in "&%$#_{}"}
)

# What has a meaning in Markdown, and on GitHub: links, mentions and numbers of issues. Not in intervals, and not within words.
MARKS = re.compile(
    r"\A(?:(?:#{1,6}|[-+]|\d{1,9}[.)])(?=\s)|>)|[`*~$]|\\(?=[!-/:-@\[-`{-~]|$)|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])|(?<=\])[(\[:]"
    r"|<(?=[a-z/!?])|&(?=#?\w+;)|@(?=[a-z])|(?<!\w)@(?=\d)|#(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)",
    re.IGNORECASE,
)
ENTITIES = {"": "&#8203;", "@": "@&#8203;", "#": "#&#8203;", "<": "&lt;", "&": "&amp;"}  # the first is a space without width


def cells(table: pa.Table) -> tuple[list[str], list[list[str]]]:
    """The header and the rows as text for people: four decimals, lists separated by commas, every cell on one line."""
    return list(map(on_one_line, table.column_names)), [list(map(cell, row)) for row in rows_of(table)]


def rows_of(table: pa.Table) -> list[tuple[object, ...]]:
    """The rows with Python's values; a column is text if Python has no such values: nanoseconds, and years beyond 9999."""
    columns = []
    for column in table.columns:
        try:
            columns.append(column.to_pylist())
        except (ValueError, OverflowError):
            columns.append(column.cast(pa.string()).to_pylist())
    return list(zip(*columns, strict=True))


def cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return on_one_line(", ".join(map(str, value)))
    return f"{round(value, 4) + 0.0:.4f}" if isinstance(value, float) else on_one_line(str(value))  # + 0.0 avoids -0.0000


def aligned(table: pa.Table, width: int | None = None, total: int = 0, way: str = "", *, most: int = SHOWN) -> str:
    """At `most` the first rows as aligned columns, numbers to the right, shortened to `width`.

    `total` is the number of all rows if `table` has only the first ones, and `way` says how to get the others.
    """
    head, rows = cells(table.slice(0, most))
    natural = natural_widths(table, most)
    widths = natural if width is None else fit_widths(natural, width)
    right = [aligned_right(field) for field in table.schema]
    lines = []
    for row in (head, ["-" * room for room in widths], *rows):
        texts = [text if len(text) <= room else f"{text[: room - 3]}..." for text, room in zip(row, widths, strict=False)]
        padded = [text.rjust(room) if num else text.ljust(room) for text, room, num in zip(texts, widths, right, strict=False)]
        lines.append("  ".join(padded).rstrip())
    lines += more_rows(total or table.num_rows, way, most)
    if widths != natural:
        lines.append(f"... shortened to {width} columns: {way or all_rows()}")
    return "\n".join(lines)


def more_rows(total: int, way: str = "", most: int = SHOWN) -> list[str]:
    """The line under a table that shows only the first rows."""
    return [f"... and {total - most} more rows: {way or all_rows()}"] if total > most else []


def natural_widths(table: pa.Table, most: int = SHOWN) -> list[int]:
    """The widths of the columns without shortening."""
    head, rows = cells(table.slice(0, most))
    return [min(max(map(len, column)), LONGEST.get(column[0], sys.maxsize)) for column in zip(head, *rows, strict=True)]


def fit_widths(widths: Sequence[int], width: int) -> list[int]:
    """The widths of the columns that fit, two spaces apart; the last one may be cut."""
    kept: list[int] = []
    for one in widths:
        room = width - sum(kept) - 2 * len(kept)
        if room < min(one, LEAST_WIDTH):
            break
        kept.append(min(one, room))
    return kept


def aligned_right(field: pa.Field) -> bool:
    """Whether a column is aligned to the right: numbers, and text whose field says so."""
    is_number = any(of(field.type) for of in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal))
    return is_number or (field.metadata or {}).get(b"align") == b"right"


def in_markdown(text: str) -> str:
    """A text as a paragraph or a part of one in Markdown, which shows it as it is."""
    return MARKS.sub(lambda found: ENTITIES.get(found[0], f"{found[0][:-1]}\\{found[0][-1:]}"), on_one_line(text).strip())


def markdown(table: pa.Table) -> str:
    head, rows = cells(table)
    rule = ["---:" if aligned_right(field) else "---" for field in table.schema]
    texts = [[in_markdown(text).replace("|", r"\|") for text in row] for row in (head, *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (texts[0], rule, *texts[1:]))


def latex(table: pa.Table) -> str:
    head, rows = cells(table)
    layout = "".join("r" if aligned_right(field) else "l" for field in table.schema)
    return tabular(layout, [text.translate(TEX) for text in head], [[text.translate(TEX) for text in row] for row in rows])


def tabular(layout: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A booktabs tabular of cells in LaTeX."""
    first, *lines = [" & ".join(row) + r" \\" for row in (head, *rows)]
    return "\n".join(
        [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", first, r"\midrule", *lines, r"\bottomrule", r"\end{tabular}"]
    )


def html(table: pa.Table, most: int | None = SHOWN) -> str:
    """A table for a notebook; the first rows of a long result."""
    head, rows = cells(table.slice(0, most))
    styles = [f' style="text-align: {"right" if aligned_right(field) else "left"}"' for field in table.schema]
    first, *lines = [
        f"<tr>{''.join(f'<{tag}{style}>{escape(text)}</{tag}>' for text, style in zip(texts, styles, strict=True))}</tr>"
        for tag, texts in (("th", head), *(("td", row) for row in rows))
    ]
    further = [f"<p>{escape(text)}</p>" for text in (more_rows(table.num_rows) if most else [])]
    body = "\n".join(lines)
    return "\n".join(["<table>", f"<thead>{first}</thead>", "<tbody>", body, "</tbody>", "</table>", *further])


def comma_separated(table: pa.Table) -> str:
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append))  # rows end with CRLF, so that CR and LF within values are quoted
    writer.writerow(table.column_names)
    for row in rows_of(table):
        writer.writerow(", ".join(map(str, value)) if isinstance(value, list) else value for value in row)
    return "\n".join(re.sub(r"^(\s*::[^,]*)", r'"\1"', line.removesuffix("\r\n"), count=1) for line in lines)


def as_json(table: pa.Table) -> str:
    rows = [dict(zip(table.column_names, row, strict=True)) for row in rows_of(table)]
    return json.dumps(rows, indent=1, default=str, ensure_ascii=False)


class Format(NamedTuple):
    """A format of results and the ending of its files. Without `of_rows`, the method of Shown with its name writes it."""

    ending: str = ""
    of_rows: Callable[[pa.Table], str] | None = None


PARQUET = "parquet"
FORMATS = {
    "table": Format(),
    "csv": Format(".csv", comma_separated),
    "json": Format(".json", as_json),
    "markdown": Format(".md"),
    "latex": Format(".tex"),
    PARQUET: Format(".parquet"),
}
ENDINGS = {one.ending: name for name, one in FORMATS.items() if one.ending}


def format_of(path: str, given: str | None = None) -> str:
    """The format of a file: the given one, else that of its ending; RecsqlError if the two differ, or if there is none."""
    ending = Path(path).suffix.lower()
    usual = ENDINGS.get(ending, given)
    if usual is None:
        raise RecsqlError(f"{path}: its ending names no format; use one of {', '.join(ENDINGS)}, or give --format")
    if given not in (None, usual):
        raise RecsqlError(f"{path}: the ending {ending} is {usual}, but --format is {given}; change one of them")
    return usual


def refuse_other_format(path: str) -> None:
    """Raises RecsqlError if the ending of a Parquet file to write is that of another format."""
    if ENDINGS.get(Path(path).suffix.lower(), PARQUET) != PARQUET:
        raise RecsqlError(f"{path}: this file is written as Parquet; use the ending .parquet")


def writer(path: str) -> Callable[[pa.Table], None]:
    """The function that writes rows for programs, by the ending of the file; raises RecsqlError if it names no such format."""
    formats = {ending: FORMATS[name].of_rows for ending, name in ENDINGS.items() if name == PARQUET or FORMATS[name].of_rows}
    if (ending := Path(path_text(path)).suffix.lower()) not in formats:
        raise RecsqlError(f"{path}: its ending names no format of rows; use one of {', '.join(formats)}")
    as_text = formats[ending]
    return lambda rows: save(as_text(rows), path) if as_text else save_parquet(rows, path)


def save(text: str, path: str) -> None:
    with whole(path) as beside:
        Path(beside).write_text(text + "\n", encoding="utf-8")


def save_parquet(table: pa.Table, path: str) -> None:
    with whole(path) as beside:
        write_parquet(table, beside)


def write_parquet(table: pa.Table, path: str) -> None:
    from pyarrow import parquet  # few calls need it, and importing it takes a tenth of the time to a first result

    parquet.write_table(table, path)
