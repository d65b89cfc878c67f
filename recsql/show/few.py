"""The lines under a table with intervals: their level, and for values with an asterisk that they have too few users."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from recsql.base.text import on_one_line, span
from recsql.catalog.grammar import labelled
from recsql.query.results import report_of

ENOUGH = 200  # users; more are few only if their values are nearly all 0, or if they are in few clusters


def few(result: pa.Table) -> Iterator[str]:
    """The level, if the metadata are still there; then which interval has few users, or how many, and the number of users."""
    if "few" not in result.column_names:
        return
    if options := report_of(result).get("options"):
        yield f"Intervals: {100 * options[0]['interval']:g} %."
    if rows := [row for row in result.to_pylist() if row["few"]]:
        told = which(rows[0]) if len(rows) == 1 else f"{len(rows):,} intervals"
        users = [row["users"] for row in rows if row["users"] is not None]
        yield f"* few users: {told} may be too narrow{counted(result, users) if users else ''}."


def which(row: Mapping[str, Any]) -> str:
    of_model = "" if row["model"] is None else f" of {on_one_line(str(row['model']))}"
    in_segment = f" in a segment of {row['slice']}" if row.get("slice") is not None else ""
    return f"the interval of {labelled(row['metric'], row['k'])}{of_model}{in_segment}"


def counted(result: pa.Table, users: Sequence[int]) -> str:
    """The number of users in brackets; for 200 and more also why they are few, if the metadata is still there."""
    found = f"{span(users)} user{'' if max(users) == 1 else 's'}"
    report = report_of(result)
    if max(users) < ENOUGH or not report:
        return f" ({found})"
    why = "fewer than 50 of them not 0" + (" or in fewer than 40 clusters" if report.get("clustered") else "")
    return f" ({found}, {why if min(users) >= ENOUGH else f'fewer than {ENOUGH} or {why}'})"
