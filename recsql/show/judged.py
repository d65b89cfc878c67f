"""How much of the lists is judged, where judged_only leaves only that: a small share says that the values stand for little."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from recsql.base.text import on_one_line
from recsql.engines import Engine
from recsql.query.binding import Inputs
from recsql.query.render import Query
from recsql.query.results import report_of

Counts = list[dict[str, Any]]  # an object per model: model, items, judged


def judged(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, Counts]:
    """What the report has on it, by the first query with judged_only: the items in the lists of users with truth.

    Nothing without judged_only. Users without truth are not in it, as none of their lists can have a hit.
    """
    for binding in bindings:
        if binding.known["judged_only"] == "true" and "recs" in binding.tables:
            return {"judged": engine.query(Query(binding, "judged_share").statement()).to_pylist()}
    return {}


def added_up(reports: Iterable[Mapping[str, Any]]) -> dict[str, Counts]:
    """The same for several parts or folds together, from their reports."""
    found: dict[str | None, dict[str, Any]] = {}
    counted = [report["judged"] for report in reports if "judged" in report]
    for row in (row for rows in counted for row in rows):
        of_model = found.setdefault(row["model"], {"model": row["model"], "items": 0, "judged": 0})
        of_model |= {name: of_model[name] + row[name] for name in ("items", "judged")}
    return {"judged": [*found.values()]} if counted else {}


def share(result: pa.Table) -> Iterator[str]:
    """The line under the table."""
    report = report_of(result)
    if told := [one(**row) for row in report.get("judged", ()) if row["items"]]:
        yield f"Judged items in the whole lists of users with truth: {', '.join(told)}."


def one(model: str | None, items: int, judged: int) -> str:
    named = "" if model is None else f"{on_one_line(str(model))} "
    return f"{named}{judged:,} of {items:,} ({judged / items:.1%})"
