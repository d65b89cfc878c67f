"""The counts beside the means of a result: users and lists of each model."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import pyarrow as pa

from recsql.engines import Engine
from recsql.query.binding import Inputs
from recsql.query.render import Query
from recsql.query.results import Judged

REPORTED = ("users_in_mean", "users_with_truth", "all_lists", "lists_without_truth", "longest_list", "segments_left_out")
OF_PAIRS = (*(f"base_{name}" for name in REPORTED), "shared_lists", "warning")
IDLE_TRUTH = "idle_truth"
COUNTS = (*REPORTED, *OF_PAIRS, IDLE_TRUTH)


def counts_in(rows: pa.Table) -> list[str]:
    """The columns of counts among those of a query."""
    return [name for name in COUNTS if name in rows.column_names]


def of_models(rows: pa.Table, model: str = "model", prefix: str = "") -> list[dict[str, Any]]:
    """The counts of the report, an object per model. They come from its first row, as metrics can count users differently."""
    first: dict[str | None, dict[str, int]] = {}
    names = {f"{prefix}{name}": name.removeprefix("all_") for name in REPORTED if f"{prefix}{name}" in rows.column_names}
    for row in rows.to_pylist():
        first.setdefault(row[model], {told: row[name] for name, told in names.items()})
    return [{"model": name, **counts, "users_without_list": unserved(counts)} for name, counts in first.items()]


def idle_truth(rows: pa.Table) -> int | None:
    """The number of rows of the truth that are not relevant, or repeated; None if it is not counted."""
    return next(iter(rows[IDLE_TRUTH].to_pylist()), None) if IDLE_TRUTH in rows.column_names else None


def of_pairs(rows: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """The counts of a comparison, an object per model and one per pair; nothing if its parts have none."""
    known = rows.filter(rows["shared_lists"].is_valid())
    names = ["shared_lists", *({"segments_left_out"} & {*rows.column_names})]
    pairs = {(row["model"], row["baseline"]): row for row in known.select(["model", "baseline", *names]).to_pylist()}
    of_one = known.drop_columns(names)
    models = {one["model"]: one for one in [*of_models(of_one), *of_models(of_one, "baseline", "base_")]}
    return {"models": [*models.values()], "pairs": [*pairs.values()]} if pairs else {}


def differing_lists(rows: pa.Table) -> dict[str, list[str]]:
    """The warning of models with lists for different users, from the rows of a comparison."""
    return {"warnings": [sentence for sentence in dict.fromkeys(rows["warning"].to_pylist()) if sentence]}


def unserved(counts: dict[str, int]) -> int:
    """The number of users with truth that have no list."""
    return counts["users_with_truth"] - (counts["lists"] - counts["lists_without_truth"])


def judged(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[Judged]]:
    """How much of the lists of users with truth is judged, by the first query with judged_only, which leaves only that.

    Nothing without judged_only. Users without truth are not in it, as none of their lists can have a hit.
    """
    for binding in bindings:
        if binding.known["judged_only"] == "true" and "recs" in binding.tables:
            return {"judged": engine.query(Query(binding, "judged_share").statement()).to_pylist()}
    return {}


def added_up(reports: Iterable[Mapping[str, Any]]) -> dict[str, list[Judged]]:
    """How much is judged in several parts or folds together, from their reports."""
    found: dict[str | None, Judged] = {}
    counted = [report["judged"] for report in reports if "judged" in report]
    for row in chain(*counted):
        of_model = found.setdefault(row["model"], {"model": row["model"], "items": 0, "judged": 0})
        of_model["items"] += row["items"]
        of_model["judged"] += row["judged"]
    return {"judged": [*found.values()]} if counted else {}
