"""What a report has besides the call: counts of users and lists, how much is judged, and warnings about the input."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

import pyarrow as pa

from recsql.base.errors import warn
from recsql.engines import Engine
from recsql.query.binding import Inputs
from recsql.query.render import Query, proofs
from recsql.query.results import Judged, Row

REPORTED = ("users_in_mean", "users_with_truth", "all_lists", "lists_without_truth", "longest_list", "segments_left_out")
OF_PAIRS = (*(f"base_{name}" for name in REPORTED), "shared_lists", "warning")
IDLE_TRUTH = "idle_truth"
COUNTS = (*REPORTED, *OF_PAIRS, IDLE_TRUTH)  # the columns of a query that go to the report


def drop_counts(rows: pa.Table) -> pa.Table:
    """The rows of a query without the columns that go to the report."""
    return rows.drop_columns([name for name in COUNTS if name in rows.column_names])


def count_models(rows: pa.Table, model: str = "model", prefix: str = "") -> list[Row]:
    """The counts of each model, from its first row, as metrics can count users differently."""
    columns = {f"{prefix}{name}": name.removeprefix("all_") for name in REPORTED if f"{prefix}{name}" in rows.column_names}
    first: dict[str | None, dict[str, int]] = {}
    for row in rows.to_pylist():
        first.setdefault(row[model], {name: row[column] for column, name in columns.items()})
    for counts in first.values():
        counts["users_without_list"] = counts["users_with_truth"] - (counts["lists"] - counts["lists_without_truth"])
    return [{"model": name, **counts} for name, counts in first.items()]


def count_pairs(rows: pa.Table) -> dict[str, list[Row]]:
    """The counts of each model and of each pair in a comparison; nothing if its parts have none."""
    known = rows.filter(rows["shared_lists"].is_valid())
    names = ["shared_lists", *({"segments_left_out"} & {*rows.column_names})]
    pairs = {(row["model"], row["baseline"]): row for row in known.select(["model", "baseline", *names]).to_pylist()}
    of_one = known.drop_columns(names)
    models = {one["model"]: one for one in [*count_models(of_one), *count_models(of_one, "baseline", "base_")]}
    return {"models": [*models.values()], "pairs": [*pairs.values()]} if pairs else {}


def count_judged(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[Judged]]:
    """With judged_only, how many items of each model's lists are judged; nothing without it.

    The first query with judged_only counts them. Users without truth are not counted, as none of their lists can have a hit.
    """
    for binding in bindings:
        if binding.known["judged_only"] == "true" and "recs" in binding.tables:
            return {"judged": engine.query(Query(binding, "judged_share").statement()).to_pylist()}
    return {}


def add_judged(reports: Iterable[Row]) -> dict[str, list[Judged]]:
    """How much is judged in several parts or folds together, from their reports."""
    found: dict[str | None, Judged] = {}
    counted = [report["judged"] for report in reports if "judged" in report]
    for row in chain(*counted):
        of_model = found.setdefault(row["model"], {"model": row["model"], "items": 0, "judged": 0})
        of_model["items"] += row["items"]
        of_model["judged"] += row["judged"]
    return {"judged": [*found.values()]} if counted else {}


def find_warnings(
    engine: Engine,
    bindings: Iterable[Inputs],
    values: Iterable[tuple[str | None, str, float | None]] | None = None,
    idle_truth: int | None = None,
) -> list[str]:
    """What is odd about the input of some queries, as sentences. The tables are read only if a check applies.

    `values` are models, metric names as asked for, and results, in a call with metrics: a value may prove that a model has a
    hit. `idle_truth` is the number of rows of the truth that are not relevant, or repeated, if it is known: without any, no item
    is judged twice.
    """
    bindings = list(bindings)
    if values is not None:
        proving = {name: proves for binding in bindings for name, proves in proofs(binding).items()}
        shown = {(model, bool(value) and proving[name]) for model, name, value in values if name in proving}
        proven = shown and {model for model, _ in shown} == {model for model, hit in shown if hit}
        unproven = bool(proving) and not proven and "recs" in bindings[0].tables
        bindings = [replace(one, unproven=unproven, repeated=idle_truth != 0) for one in bindings]
    # A further query can leave out rows of its own: items that users have in train, or that are not candidates.
    narrowed = [one for one in bindings[1:] if one.known.get("seen") == "drop" or one.known.get("candidates") is not None]
    queries = [Query(one, "warnings") for one in (bindings[0], *(one for one in narrowed if "recs" in one.tables))]
    tables = [engine.query(query.statement()) for query in queries if query.warnings()]
    return list(dict.fromkeys(chain(*(table["message"].to_pylist() for table in tables))))


def find_differing_lists(rows: pa.Table) -> list[str]:
    """The warnings of models with lists for different users, from the rows of a comparison."""
    return [sentence for sentence in dict.fromkeys(rows["warning"].to_pylist()) if sentence]


def issue_warnings(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        warn(sentence)
