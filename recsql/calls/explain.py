"""The steps of a query with their numbers of rows, to see where a result comes from."""

from collections.abc import Mapping
from dataclasses import replace

import pyarrow as pa

from recsql.base.statement import Statement
from recsql.base.text import quoted
from recsql.base.wording import said
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.catalog.grammar import Cutoffs
from recsql.catalog.headers import Given
from recsql.query.plan import LISTS_AND_ITEMS
from recsql.query.steps import columns_of, row_of, single_statement
from recsql.query.templates import dialect


def explain(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = None, **settings: Given) -> pa.Table:
    """Returns the steps of the query of `evaluate` in their plain forms, with their numbers of rows. Takes its arguments.

    `evaluate` runs faster forms of some steps, with the same result. `sql` with `stop_after` returns the query for the rows of
    one step, and with `plain` that of all of them, to read. Bad rows are no error here: the step problems has the sentence of
    the check that finds them. RecsqlError is raised if the options of the metrics need several queries.

    Returns:
        One row per step, in the order of the query: step, rows (their number), file (where its text stands, and that of the
        metrics that it has), and row (what one row is).
    """
    with opened({"recs": recs, "truth": truth}, LISTS_AND_ITEMS, settings, metrics, k) as call:
        sizes = sizes_of(call, plain(call), {})
        files = [files_of(step, call) for step in sizes]
        return call.described(
            pa.table({"step": [*sizes], "rows": [*sizes.values()], "file": files, "row": [said(row_of(one)) for one in sizes]})
        )


def files_of(step: str, call: Call) -> str:
    """The chapter of `sql/` that has a step, and the files of the metrics that it computes."""
    computes = {"per_user": ("user", "list"), "per_run": ("item",)}.get(step, ())
    metrics = [one.metric for pipeline in call.pipelines for one in pipeline.columns if one.grain in computes]
    paths = [catalog().steps[step].chapter, *(catalog().metrics[name].path for name in dict.fromkeys(metrics))]
    return ", ".join(f"sql/{path}" for path in paths)


def plain(call: Call, target: str = "evaluate") -> Statement:
    """The query of a target in its plain form, in which each user has rows of their own."""
    return single_statement(replace(call, inputs=replace(call.inputs, fast=False)).text(target, averaged=target == "evaluate"))


def sizes_of(call: Call, statement: Statement, conditions: Mapping[str, str]) -> dict[str, int]:
    """The number of rows of each step; if it has a condition, of those that meet it."""
    counts = [
        f"select {place} as place, count(*) as counted\nfrom {step} as s\nwhere {conditions.get(step) or 'true'}"
        for place, step in enumerate(statement.steps)
    ]
    found = call.engine.query(str(Statement.over(statement.steps, "\nunion all\n".join(counts))))
    return dict(zip(statement.steps, found.sort_by("place")["counted"].to_pylist(), strict=True))


def of_user(call: Call, statement: Statement, step: str, user_id: str | None) -> str:
    """The condition on the rows `s` of a step for one user, whose id is compared as text; none if rows have no user."""
    if user_id is None or "user_id" not in columns_of(step, statement.steps):
        return ""
    return f"{dialect(call.engine.dialect).text('s.user_id')} = {quoted(user_id)}"
