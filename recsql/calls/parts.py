"""Evaluation in parts, such as shards of users or daily exports: each part has sums, which `merge` adds up."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.paths import whole
from recsql.base.statement import steps_in
from recsql.base.text import code
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.compare import options_of_tests
from recsql.calls.findings import count_judged, find_warnings, issue_warnings
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.catalog.grammar import Cutoffs
from recsql.catalog.headers import Given
from recsql.query.binding import Inputs
from recsql.query.metric import Metric
from recsql.query.plan import LISTS_AND_ITEMS, PAIRS
from recsql.query.render import Query
from recsql.query.slices import quantiles_of
from recsql.show.output import write_parquet

STORED = ("metric", "ks", "heading", "label", "name", "shown", "order", "made_of", "part")  # what merge reads of a metric
RANKING = ("wilcoxon", "randomisation")  # tests that need the distinct differences of users, and not only their sums


def partial(
    recs: Table,
    truth: Table,
    path: str,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    test: str | None = None,
    **settings: Given,
) -> None:
    """Writes the sums behind the metrics of these users to a Parquet file, for `merge` to combine with other parts.

    Args:
        recs, truth, metrics, k, settings: As in `evaluate`. Each user's lists and truth must be in the same part.
        path: The Parquet file to write.
        baseline: A model. The part then also has the sums for comparing each other model with it; see `compare`.
        test: With "wilcoxon" or "randomisation", the part also has the distinct differences of users, which these tests need.

    The file has one row per model, metric and cut-off, with numbers of users, and sums in units of 1e-18. The metrics of all
    lists together have one row per model, cut-off and item. docs/parts-and-samples.md lists all columns.

    Raises:
        RecsqlError: As `evaluate` does, and if users of a table `users` count even without a list or truth, because
            they would count in every part. Also for an `interval` if all metrics are means, because every part has their sums.
    """
    refuse_tests({**settings, "test": test}, baseline)
    grains = LISTS_AND_ITEMS if baseline is None else PAIRS
    given = settings if baseline is None else {**settings, "baseline": baseline, "test": test}
    with (
        opened({"recs": recs, "truth": truth}, grains, given, metrics, k, sums=True, both=baseline is None) as found,
        whole(path) as beside,
    ):
        call = with_groups(found)
        call.refuse(path)
        for key in quantiles_of(call.inputs.slices):
            raise RecsqlError(
                f"by: the quantiles of {key.column} are those of all users, and a part has only some; "
                f"cut it at numbers, as in {key.column}[1,10]"
            )
        rows = pa.concat_tables(portions(call), promote_options="default")
        issue_warnings(find_warnings(call.engine, call.bindings()))
        report = call.report(**for_merge(call), **count_judged(call.engine, call.bindings()))
        write_parquet(rows.replace_schema_metadata({"recsql": report}), beside)


def refuse_tests(settings: Mapping[str, Given], baseline: str | None) -> None:
    """Raises RecsqlError for options of intervals and tests that belong to merge, and for a test without a baseline."""
    here = ("test",) if baseline is not None else ("interval", "test")
    for name in (*options_of_tests(), "interval_method"):
        if settings.get(name) is not None and name not in here:
            raise RecsqlError(f"{name}: parts keep sums, so give {name}= to merge")
    if baseline is None and settings["test"] is not None:
        raise RecsqlError("test: it applies only to comparisons; give baseline= as well, or leave test= out")


def with_groups(call: Call) -> Call:
    """The call, with sums per group of users if merge may need them for intervals of metrics that are not means.

    Raises RecsqlError for an interval if all metrics are means, because every part has their sums.
    """
    options, no_mean = call.pipelines[0].options, any(no_means(one.columns) for one in call.pipelines)
    if options["interval"] is not None and not no_mean:
        raise RecsqlError(
            "interval: parts keep sums, so give interval= to merge; only metrics that are not means need it here too"
        )
    asked = options["interval"] is not None or options.get("baseline") is not None
    return replace(call, inputs=replace(call.inputs, jackknifed=no_mean and asked))


def no_means(columns: Iterable[Metric]) -> list[Metric]:
    """The metrics that are not means over users, and the means from which they are computed."""
    made_of = {name for column in columns for name in column.made_of}
    return [column for column in columns if column.grain == "item" or column.made_of or column.name in made_of]


def looking_at_lists(inputs: Inputs) -> list[Metric]:
    """The metrics of all lists together, if one needs each list and not only the counts of items."""
    columns = inputs.columns_of("item")
    there = Query(replace(inputs, columns=columns), "partial_lists").statement().steps
    return columns if any("of_lists" in catalog().steps[name].header for name in there) else []


def portions(call: Call) -> Iterator[pa.Table]:
    """The rows of a part: for each pipeline, the tables of its grains and comparisons."""
    for number, binding in enumerate(call.bindings(averaged=True, counted=True, partial=True)):
        for target, columns in targets(binding).items():
            if columns or target == "partial_pairs":  # without means, the part has only the counts of each pair
                query = Query(replace(binding, columns=columns), target).statement()
                if "given_users" in steps_in(code(query.steps.get("candidates", ""))):
                    raise RecsqlError(
                        "users: each part would count all users of the table, also those of other parts; "
                        "set no_truth='skip', or pass no table"
                    )
                rows = call.engine.query(query)
                yield rows.append_column("pipeline", pa.array([number] * rows.num_rows, pa.int32()))


def targets(inputs: Inputs) -> dict[str, list[Metric]]:
    """The templates that write the rows of a part, and the metrics of each."""
    means, options = inputs.columns_of("user"), inputs.known
    found = {"partial_groups": no_means(inputs.columns)} if inputs.jackknifed else {}
    found |= {"partial": means, "partial_items": inputs.columns_of("item"), "partial_lists": looking_at_lists(inputs)}
    if options.get("baseline") is not None:
        found["partial_pairs"] = means
        if options["test"] in RANKING:
            found["partial_differences"] = means
    return found


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
