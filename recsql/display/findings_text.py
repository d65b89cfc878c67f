"""The findings of check as text, and as annotations of a GitHub workflow."""

from collections.abc import Sequence

import pyarrow as pa

from recsql.base.text import counted, on_one_line
from recsql.catalog import catalog
from recsql.query.results import Row, metadata_of

COLUMNS = {"severity", "finding", "unit", "example", "advice"}  # the columns by which a result of check is recognized
ANNOTATIONS = {"error": "error", "warning": "warning", "note": "notice"}


def text(result: pa.Table) -> str:
    """Three lines per finding: its name and table, what was found, and why it matters and what to do."""
    blocks = [
        f"{rows[0]['severity'].upper()} {rows[0]['finding']}{place(rows[0])}\n  {what(rows)}\n  {why(rows[0])}"
        for rows in group_rows(result)
    ]
    return "\n\n".join([*blocks, *summary(result)])


def summary(result: pa.Table) -> list[str]:
    """The number of findings of each severity, and what was not checked."""
    severities = [rows[0]["severity"] for rows in group_rows(result)]
    counts = [counted(severities.count(one), one) for one in ANNOTATIONS if one in severities]
    lines = [f"Found: {', '.join(counts)}." if counts else "Nothing odd was found."]
    lacking: dict[str, list[str]] = {}
    for name, need in metadata_of(result).get("not_checked", {}).items():
        lacking.setdefault(need, []).append(name)
    return ["\n".join([*lines, *(f"Not checked without {need}: {', '.join(names)}." for need, names in lacking.items())])]


def annotations(result: pa.Table) -> list[str]:
    """A line per finding, which a GitHub workflow shows as an annotation."""
    return [
        f"::{ANNOTATIONS[rows[0]['severity']]} title={escaped(rows[0]['finding'], ':,')}::"
        f"{escaped(f'{what(rows)} {why(rows[0])}')}"
        for rows in group_rows(result)
    ]


def escaped(text: str, more: str = "") -> str:
    """A text as the value of a workflow command; properties escape `more` characters."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def group_rows(result: pa.Table) -> Sequence[Sequence[Row]]:
    """The rows by finding and severity; a finding can have a row per model."""
    found: dict[tuple[str | None, ...], list[Row]] = {}
    for row in result.to_pylist():
        found.setdefault(tuple(row[name] for name in ("severity", "finding", "table", "column")), []).append(row)
    return [*found.values()]


def place(row: Row) -> str:
    """The table and the column of a finding."""
    parts = [part for part in (row["table"], row["column"]) if part is not None]
    return f" ({': '.join(map(on_one_line, parts))})" if parts else ""


def what(rows: Sequence[Row]) -> str:
    """The sentence on what was found, with the counts and an example of the first model."""
    first, *others = rows
    about = str(catalog().findings[first["finding"]].header["about"])
    count = "" if first["count"] is None else f": {quantity(first)}"
    model = "" if first["model"] is None else f" of model {on_one_line(first['model'])}"
    more = f" (and {counted(len(others), 'more model')})" if others else ""
    example = "" if first["example"] is None else f", for example {on_one_line(first['example'])}"
    return f"{about[0].upper()}{about[1:]}{count}{model}{more}{example}."


def quantity(row: Row) -> str:
    """The number of rows, users, lists or items with the finding, and of all."""
    one = row["unit"].removesuffix("s")
    if row["of"] is None:
        return counted(row["count"], one)
    return f"{row['count']:,} of {counted(row['of'], one)}"


def why(row: Row) -> str:
    """Why it matters for the numbers, and what to do."""
    matters = str(catalog().findings[row["finding"]].header["matters"])
    return f"{matters[0].upper()}{matters[1:]}. {row['advice'][0].upper()}{row['advice'][1:]}."


def has_found(result: pa.Table, severity: str) -> bool:
    """Whether there is a finding of this severity or a worse one."""
    order = [*ANNOTATIONS]
    return any(order.index(found) <= order.index(severity) for found in result["severity"].to_pylist())
