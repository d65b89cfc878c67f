"""Results as text: an aligned table for people, tidy rows for machines; and files that appear whole or not at all."""

import csv
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from recsql.errors import EngineError, RecsqlError
from recsql.text import shown

SHOWN = 40  # rows of a long result that the table for people has


def side_by_side(result: pa.Table) -> pa.Table:
    """The rows of `evaluate` with a column per model: metric, then a value for each."""
    rows = result.to_pylist()
    models = list(dict.fromkeys(row["model"] for row in rows))
    cells: dict[str, dict[Any, Any]] = {}
    for row in rows:
        cells.setdefault(f"{row['metric']}@{row['k']}", {})[row["model"]] = row["value"]
    columns = [list(cells), *([values.get(model) for values in cells.values()] for model in models)]
    return pa.table(columns, names=["metric", *("value" if model is None else model for model in models)])


def by_preset(result: pa.Table) -> pa.Table:
    """The rows of `conventions` with a line per preset and a column per metric."""
    rows = result.to_pylist()
    columns = dict.fromkeys(f"{row['metric']}@{row['k']}" for row in rows)
    lines: dict[tuple[Any, str], dict[str, Any]] = {}
    for row in rows:
        lines.setdefault((row["model"], row["preset"]), {})[f"{row['metric']}@{row['k']}"] = row["value"]
    models = {"model": [model for model, _ in lines]} if any(model for model, _ in lines) else {}
    values = {name: [line.get(name) for line in lines.values()] for name in columns}
    return pa.table({**models, "preset": [preset for _, preset in lines], **values})


def reasons(result: pa.Table) -> pa.Table:
    """What the rows of `conventions` say of their differences, a line for each that is said, with the metrics that it is of."""
    told: dict[tuple[Any, str, str], list[str]] = {}
    for row in result.to_pylist():
        sentences = [row["because"]] if row["value"] is None else row["because"].split("; ")
        for because in filter(None, sentences):
            option, _, change = because.partition(" ")
            signed = change.startswith(("+", "-"))
            key = (row["model"], row["preset"], option if signed else because)
            told.setdefault(key, []).append(f"{row['metric']}@{row['k']} {change}" if signed else f"{row['metric']}@{row['k']}")
    models = {"model": [model for model, _, _ in told]} if any(model for model, _, _ in told) else {}
    columns = {"preset": [preset for _, preset, _ in told], "because": [because for _, _, because in told]}
    return pa.table({**models, **columns, "changes": [", ".join(metrics) for metrics in told.values()]})


def cells(table: pa.Table) -> tuple[list[str], list[list[str]]]:
    """The head and the rows as text for people: numbers with four decimals, lists with commas, each on one line."""
    columns = [[cell(value) for value in column.to_pylist()] for column in table.columns]
    return list(map(on_one_line, table.column_names)), [list(row) for row in zip(*columns, strict=True)]


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return on_one_line(", ".join(map(str, value)))
    return f"{round(value, 4) + 0.0:.4f}" if isinstance(value, float) else on_one_line(str(value))  # + 0.0: no minus before zero


def on_one_line(text: str) -> str:
    """Text of the user's with spaces for its line breaks, and escapes for other control characters."""
    return shown(" ".join(text.splitlines()))


def aligned(table: pa.Table) -> str:
    """Columns under each other, numbers to the right; of a long result the first rows."""
    head, rows = cells(table.slice(0, SHOWN))
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    right = [is_number(table.schema.field(i).type) for i in range(table.num_columns)]
    lines = [
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width) for text, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (head, ["-" * width for width in widths], *rows)
    ]
    if table.num_rows > SHOWN:
        lines.append(f"... and {table.num_rows - SHOWN} more rows: --format csv or -o FILE gives them all")
    return "\n".join(lines)


def is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def markdown(table: pa.Table) -> str:
    head, rows = cells(table)
    rule = ["---:" if is_number(field.type) else "---" for field in table.schema]
    return "\n".join(f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in (head, rule, *rows))


def latex(table: pa.Table) -> str:
    """A booktabs tabular."""
    head, rows = cells(table)
    layout = "".join("r" if is_number(field.type) else "l" for field in table.schema)
    lines = [" & ".join(map(tex, row)) + r" \\" for row in (head, *rows)]
    return "\n".join(
        [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    )


def tex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
        c: rf"\{c}" for c in "&%$#_{}"
    }
    return "".join(special.get(character, character) for character in text)


def comma_separated(table: pa.Table) -> str:
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append))  # a line each, ended as CSV is: so that either end is quoted in it
    writer.writerow(table.column_names)
    for row in table.to_pylist():
        writer.writerow(", ".join(map(str, value)) if isinstance(value, list) else value for value in row.values())
    return "\n".join(line.removesuffix("\r\n") for line in lines)


def as_json(table: pa.Table) -> str:
    return json.dumps(table.to_pylist(), indent=1, default=str, ensure_ascii=False)


FORMATS: dict[str, Callable[[pa.Table], str]] = {
    "table": aligned,
    "csv": comma_separated,
    "json": as_json,
    "markdown": markdown,
    "latex": latex,
}
FOR_PEOPLE = ("table", "markdown", "latex")
ENDINGS = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}


def format_of(path: str) -> str:
    """The format that a file's ending names; raises RecsqlError where it names none."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise RecsqlError(f"{path}: the ending of an output file says its format; use one of {', '.join(ENDINGS)}")
    return ENDINGS[ending]


def refuse_other_format(path: str) -> None:
    """Raises RecsqlError where the ending of a Parquet file to be written is that of another format."""
    if ENDINGS.get(Path(path).suffix.lower(), "parquet") != "parquet":
        raise RecsqlError(f"{path}: Parquet is what is written there; let the name end in .parquet")


@contextmanager
def whole(path: str) -> Iterator[str]:
    """A path to write to that takes the name `path` when all is written, and is gone where something fails.

    Raises RecsqlError for what is no file, and where none can be written.
    """
    target = target_of(path)
    beside = ""
    try:
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        os.close(handle)
        yield beside
        Path(beside).chmod(0o666 & ~umask())
        Path(beside).replace(target)
    except (OSError, EngineError) as error:
        if isinstance(error, EngineError) and Path(beside).name not in str(error):
            raise  # of a query, and not of the file
        raise RecsqlError(f"{path}: it can't be written: {why(error)}") from None
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)


def target_of(path: str) -> Path:
    """The file that a path leads to, also behind a link; raises RecsqlError for what is no file, and where there is no folder."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise RecsqlError(f"{path}: it is {'a folder' if target.is_dir() else 'no file to be replaced'}; name a file")
    if not target.parent.is_dir():
        raise RecsqlError(f"{path}: there is no folder {target.parent}")
    return target


def why(error: OSError | EngineError) -> str:
    """Why a file couldn't be written, in the system's words, which DuckDB puts behind the file's name."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    behind = re.search(r'\.part[\\"]*: ([^"\n]+)', str(error))
    return behind[1] if behind else str(error)


def umask() -> int:
    """The mask of permissions that a new file gets."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def save(text: str, path: str) -> None:
    with whole(path) as beside:
        Path(beside).write_text(text + "\n", encoding="utf-8")


def save_parquet(table: pa.Table, path: str) -> None:
    with whole(path) as beside:
        write_parquet(table, beside)


def write_parquet(table: pa.Table, path: str) -> None:
    from pyarrow import parquet  # which most calls don't need, and which takes a tenth of what a first result takes

    parquet.write_table(table, path)
