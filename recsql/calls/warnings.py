"""The warnings of a call: what is odd about its input, and how many rows of the lists its options leave out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from recsql.base.errors import warn
from recsql.catalog import catalog
from recsql.engines import Engine
from recsql.query.binding import Inputs
from recsql.query.render import Query, proofs


def is_narrowed(inputs: Inputs) -> bool:
    """Whether options leave rows of the lists out: items that users have in train, or that are not candidates."""
    narrows = inputs.known.get("seen") == "drop" or inputs.known.get("candidates") is not None
    return narrows and "recs" in inputs.tables


def told(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[str]]:
    """What the input of some queries has that is odd, as sentences for the report; nothing is read if no check applies."""
    first, *others = bindings
    queries = [Query(one, "warnings") for one in (first, *filter(is_narrowed, others))]
    tables = [engine.query(query.statement()) for query in queries if query.warnings()]
    return of_all({"warnings": table["message"].to_pylist()} for table in tables)


def of_all(reports: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The warnings of several reports, each once."""
    found = dict.fromkeys(sentence for report in reports for sentence in report.get("warnings", ()))
    return {"warnings": list(found)} if found else {}


def utter(report: Mapping[str, Any]) -> None:
    """Warns of what a report has."""
    for sentence in report.get("warnings", ()):
        warn(sentence)


def not_read(truth: str, column: str) -> str:
    """The sentence for a truth whose relevance may be in another column."""
    return catalog().say("relevance_not_read", truth=truth, column=column)


def warned(
    engine: Engine,
    bindings: Iterable[Inputs],
    values: Iterable[tuple[str | None, str, float | None]],
    idle_truth: int | None = None,
) -> dict[str, list[str]]:
    """The warnings of a call with metrics; they need the tables only if something may be odd.

    `values` are models, metric names as asked for, and results: a value may prove that a model has a hit. `idle_truth` is the
    number of rows of the truth that are not relevant, or repeated, if it is known: without any, no item is judged twice.
    """
    bindings = list(bindings)
    proving = {name: proves for binding in bindings for name, proves in proofs(binding).items()}
    shown = {(model, bool(value) and proving[name]) for model, name, value in values if name in proving}
    proven = shown and {model for model, _ in shown} == {model for model, hit in shown if hit}
    unproven = bool(proving) and not proven and "recs" in bindings[0].tables
    return told(engine, (replace(one, unproven=unproven, repeated=idle_truth != 0) for one in bindings))
