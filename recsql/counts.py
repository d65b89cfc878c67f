"""The counts beside the means of a result: users and lists of each model."""

from typing import Any

import pyarrow as pa

REPORTED = ("users_in_mean", "users_with_truth", "all_lists", "lists_without_truth", "longest_list", "segments_left_out")
IDLE_TRUTH = "idle_truth"
COUNTS = (*REPORTED, IDLE_TRUTH)


def counts_in(rows: pa.Table) -> list[str]:
    """The columns of counts among those of a query."""
    return [name for name in COUNTS if name in rows.column_names]


def of_models(rows: pa.Table) -> list[dict[str, Any]]:
    """The counts of the report, an object per model. They come from its first row, as metrics can count users differently."""
    first: dict[str | None, dict[str, int]] = {}
    found = rows.select(["model", *(name for name in REPORTED if name in rows.column_names)])
    for row in found.rename_columns([name.removeprefix("all_") for name in found.column_names]).to_pylist():
        first.setdefault(row.pop("model"), row)
    return [{"model": name, **counts, "users_without_list": unserved(counts)} for name, counts in first.items()]


def idle_truth(rows: pa.Table) -> int | None:
    """The number of rows of the truth that are not relevant, or repeated; None if it is not counted."""
    return next(iter(rows[IDLE_TRUTH].to_pylist()), None) if IDLE_TRUTH in rows.column_names else None


def of_pairs(rows: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """The number of segments that a comparison leaves out, as an object per pair of models; nothing if it leaves none out."""
    if "segments_left_out" not in rows.column_names:
        return {}
    found = rows.select(["model", "baseline", "segments_left_out"]).to_pylist()
    return {"pairs": [*{(row["model"], row["baseline"]): row for row in found}.values()]}


def unserved(counts: dict[str, int]) -> int:
    """The number of users with truth that have no list."""
    return counts["users_with_truth"] - (counts["lists"] - counts["lists_without_truth"])
