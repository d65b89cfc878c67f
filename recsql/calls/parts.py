"""Evaluation in parts, such as shards of users or daily exports: each part has sums, which `merge` adds up."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.paths import target_of
from recsql.base.statement import Statement, steps_in
from recsql.base.text import code
from recsql.base.wording import functions
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.open_call import opened
from recsql.calls.warnings import count_judged, find_warnings, issue_warnings
from recsql.catalog import catalog
from recsql.catalog.grammar import Cutoffs
from recsql.catalog.headers import Given
from recsql.display.output import refuse_other_format, save_parquet
from recsql.query.binding import Inputs, Relation
from recsql.query.plan import LISTS_AND_ITEMS
from recsql.query.render import Query
from recsql.query.slices import quantiles_of

STORED = ("metric", "ks", "heading", "label", "name", "shown", "order", "made_of", "part")  # what merge reads of a metric
TARGETS = {"partial": "user", "partial_items": "item"}  # with the grains of their metrics


def partial(
    recs: Table,
    truth: Table,
    path: str,
    metrics: Metrics = None,
    k: Cutoffs = None,
    **settings: Given,
) -> None:
    """Writes the sums behind the metrics of these users to a Parquet file, for `merge` to combine with other parts.

    Args:
        recs, truth, metrics, k, settings: As in `evaluate`. Each user's lists and truth must be in the same part.
        path: The Parquet file to write.

    The file has one row per model, metric and cut-off, with numbers of users, and sums in units of 1e-18. The metrics of all
    lists together have one row per model, cut-off and item. docs/parts-and-samples.md lists all columns.

    Raises:
        RecsqlError: As `evaluate` does, and if users of a table `users` count even without a list or truth, because
            they would count in every part. Also for what needs more than sums and counts: a metric that needs each list, such
            as personalisation, and a comparison; and for an `interval`, which `merge` takes.
    """
    refuse_comparison(settings)
    target_of(path)
    refuse_other_format(path)
    with opened({"recs": recs, "truth": truth}, LISTS_AND_ITEMS, settings, metrics, k, sums=True, both=True) as call:
        call.refuse(path)
        for key in quantiles_of(call.inputs.slices):
            raise RecsqlError(
                f"by: the quantiles of {key.column} are those of all users, and a part has only some; "
                f"cut it at numbers, as in {key.column}[1,10]"
            )
        asked = [*statements(call)]
        if call.pipelines[0].options["interval"] is not None:
            raise RecsqlError("interval: parts keep sums, so give interval= to merge")
        rows = pa.concat_tables((rows_of(call, *one) for one in asked), promote_options="default")
        issue_warnings(find_warnings(call.engine, call.bindings()))
        report = call.metadata(**for_merge(call), **count_judged(call.engine, call.bindings()))
        save_parquet(rows.replace_schema_metadata({"recsql": report}), path)


def refuse_comparison(settings: Mapping[str, Given]) -> None:
    """Raises RecsqlError for an option of comparisons."""
    for name in catalog().options_of(["pair"]):
        if settings.get(name) is not None:
            raise RecsqlError(
                f"{name}: a comparison needs each user's values of both models, and parts keep only the sums of each; "
                "give all files to compare at once, as a glob"
            )


def statements(call: Call) -> Iterator[tuple[int, Statement]]:
    """The number of each pipeline, with the statements of the sums of its means and of the counts of its items."""
    for number, binding in enumerate(call.bindings(averaged=True, counted=True, partial=True)):
        for target, grain in TARGETS.items():
            if columns := binding.columns_of(grain):
                inputs = replace(binding, columns=columns)
                statement = Query(inputs, target).statement()
                refuse_lists(inputs)
                if "given_users" in steps_in(code(statement.steps.get("candidates", ""))):
                    raise RecsqlError(
                        "users: each part would count all users of the table, also those of other parts; "
                        "set no_truth='skip', or pass no table"
                    )
                yield number, statement


def rows_of(call: Call, pipeline: int, statement: Statement) -> pa.Table:
    rows = call.engine.query(statement)
    return rows.append_column("pipeline", pa.array([pipeline] * rows.num_rows, pa.int32()))


def refuse_lists(inputs: Inputs) -> None:
    """Raises RecsqlError for a metric of all lists together for which `merge` would have to read the lists."""
    tables = {**inputs.tables, "parts": Relation("", "")}
    for one in inputs.columns_of("item"):
        if "listed" in Query(replace(inputs, tables=tables, columns=[one], partial=False), "evaluate").statement().steps:
            raise RecsqlError(
                f"{one.heading}: it needs each list, and parts keep only how often each item is recommended; "
                f"give all files to {functions()['evaluate']} at once, as a glob, or leave {one.heading} out"
            )


def for_merge(call: Call) -> dict[str, object]:
    """The further entries of the report that `merge` needs.

    `columns` are the metrics with the options in which those of a pipeline can differ. `origin` identifies the input: a
    fingerprint of its rows (None without rows), and the smallest hashes of its users and clusters.
    """
    own = {name for name, option in catalog().options.items() if option.is_own} | {"like"}
    columns = [
        [
            {name: getattr(one, name) for name in STORED}
            | {"options": {name: value for name, value in one.options.items() if name in own}}
            for one in pipeline.columns
        ]
        for pipeline in call.pipelines
    ]
    [row] = call.engine.query(Query(next(call.bindings(partial=True)), "origin").statement()).to_pylist()
    return {
        "cut-offs": sorted((column.label, column.ks) for one in call.pipelines for column in one.columns if column.shown),
        "columns": columns,
        "clustered": call.inputs.clustered,
        "origin": {"fingerprint": row["fingerprint"], "users": row["users"] or [], "clusters": row.get("clusters") or []},
    }
