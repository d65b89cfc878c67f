"""Charts of metrics over the cut-offs, to save or to display in a notebook."""

from collections.abc import Iterable, Sequence
from math import isclose

import pyarrow as pa
import pyarrow.compute as pc

from recsql.base.errors import RecsqlError
from recsql.calls.call import Metrics, Table, average
from recsql.calls.open_call import opened, parse_settings
from recsql.catalog import catalog
from recsql.catalog.grammar import WHOLE, Asked, Cutoffs, cutoffs, parse_metric
from recsql.catalog.headers import Given
from recsql.catalog.options import parse_value
from recsql.query.plan import LISTS_AND_ITEMS, written_out
from recsql.query.results import Row, metadata_of
from recsql.show import vega
from recsql.show.drawing import Chart
from recsql.show.pivoted import side_by_side

METRICS = ("ndcg", "dcg")
CUTOFFS = range(1, 21)


def curve(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = CUTOFFS, **settings: Given) -> Chart:
    """Draws metrics over the cut-offs: one panel per metric, one line per model.

    The panel of dcg also shows the ideal: idcg under the same options. If the ideal is much higher, it gets its own axis.

    Args:
        recs, truth, settings: As in `evaluate`.
        metrics: Metrics without a cut-off of their own. By default ndcg and dcg.
        k: The cut-offs, 1 to 20 by default. The whole list ("all") is refused.

    Returns:
        The chart. Its `data` are the values drawn: model, metric, k, value and users as in `evaluate`, then panel and line.
        `panel` is the metric whose panel the row belongs to. `line` is "model", "ideal" (one line for all models, with model
        NULL) or "own ideal" (one line per model, where the ideals differ).

    Raises:
        RecsqlError: As `evaluate` does, and if a metric names a cut-off or two metrics are the same.
    """
    _, options = parse_settings(settings)
    if options.get("by") is not None:
        raise RecsqlError("by: a curve has a line for each model and none for segments; leave by= out")
    named = written_out(METRICS if metrics is None else metrics, options, LISTS_AND_ITEMS)
    like = settings.get("like") and str(parse_value(catalog().options["like"], settings["like"]))
    asked = []
    for text in named:
        asked.append(parse_metric(text, like, at_k=True))
        if (k_of_metric := asked[-1].k) is not None:
            raise RecsqlError(f"{text}: a curve is drawn over every cut-off of k; leave @{k_of_metric} out")
    if WHOLE in cutoffs(k, []):
        raise RecsqlError("k: a curve can't show the whole list; give numbers, such as 1..20")
    if len(cutoffs(k, [])) == 1:
        raise RecsqlError("k: a curve needs several cut-offs, and this is one; give a range such as 1..20, or use evaluate")
    ideals = {str(Asked("idcg", one.options)): one.said for one in asked if one.metric == "dcg"}
    with opened({"recs": recs, "truth": truth}, LISTS_AND_ITEMS, settings, [*named, *ideals], k) as call:
        result = average(call)
    metadata = metadata_of(result)
    if len({one["definition"] for one in metadata["metrics"].values()}) < len(metadata["metrics"]):
        raise RecsqlError(f"metrics: two of {', '.join(named)} are the same; name each once")
    of_ideals = {column.heading for one in call.pipelines for column in one.columns if column.metric == "idcg"}
    rows = [
        {**row, "panel": ideals.get(row["metric"], row["metric"]), "line": "ideal" if row["metric"] in of_ideals else "model"}
        for row in result.to_pylist()
    ]
    panels = dict.fromkeys(ideals.get(one.said, one.said) for one in asked)
    drawn = [row for panel in panels for row in lines([row for row in rows if row["panel"] == panel])]
    columns = [*result.schema, pa.field("panel", pa.string()), pa.field("line", pa.string())]
    data = pa.Table.from_pylist(drawn, pa.schema(columns, result.schema.metadata))
    of_models = data.filter(pc.equal(data["line"], "model")) if "model" in data["line"].to_pylist() else data
    title = f"{', '.join(dict.fromkeys(of_models['metric'].to_pylist()))} over k"
    return Chart(data, vega.chart(drawn, metadata["options"][0]["interval"]), title, side_by_side(of_models))


def lines(rows: Iterable[Row]) -> list[Row]:
    """The rows of one panel. If all models have the same ideal, it appears once, without a model."""
    models: list[Row] = []
    ideals: dict[str | None, list[Row]] = {}
    for row in rows:
        (ideals.setdefault(row["model"], []) if row["line"] == "ideal" else models).append(row)
    first, *others = list(ideals.values()) or [[]]
    if all(same(first, other) for other in others):
        return models + [{**row, "model": None} for row in first]
    return models + [{**row, "line": "own ideal"} for ideal in ideals.values() for row in ideal]


def same(some: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether two lines are equal, but for last digits that depend on the order of summation."""
    return all(
        (a["k"], a["users"]) == (b["k"], b["users"]) and isclose(a["value"] or 0, b["value"] or 0, rel_tol=1e-9)
        for a, b in zip(some, others, strict=True)
    )
