"""The same lists under the convention of every preset, and which option makes each difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import pyarrow as pa

from recsql.call import Call, Cutoffs, Metrics, Table, calling, parted
from recsql.catalog import DEFAULT_CUTOFF, Asked, Preset, Value, catalog
from recsql.errors import EngineError, RecsqlError
from recsql.labels import options_of
from recsql.plan import as_list, plan

METRICS = ("precision", "recall", "ap", "ndcg", "rr", "hit")
SAME = 1e-9  # a smaller difference is none
Row = dict[str, Any]
Place = tuple[str | None, int]  # a model and a cut-off
SCHEMA = pa.schema(
    {
        "model": pa.string(),
        "preset": pa.string(),
        "metric": pa.string(),
        "k": pa.int32(),
        "value": pa.float64(),
        "users": pa.int64(),
        "difference": pa.float64(),
        "because": pa.string(),
    }
)


@dataclass(frozen=True)
class Measured:
    """A metric under one set of options: its rows by model and cut-off, or why it can't be had."""

    options: Mapping[str, Value]
    rows: Mapping[Place, Row]
    error: str = ""


def conventions(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = DEFAULT_CUTOFF, **settings: Value) -> pa.Table:
    """Each metric under the default convention and under that of every preset.

    Takes what `evaluate` takes; the metrics are by default precision, recall, ap, ndcg, rr and hit. Options that are given beat
    every preset.

    Returns:
        One row per model, preset ("default" first), metric and cut-off: model, preset, metric, k, value, users: over how many the
        mean is; difference: from the default; because: what each option that the preset sets otherwise changes by itself, and
        what they change together beyond that, so that it adds up; or why there is no value. A metric that the other library
        does not have is left out.

    Raises:
        RecsqlError: as `evaluate`, where not even the default can be measured.
    """
    texts = as_list(METRICS if metrics is None else metrics)
    asked = list(dict.fromkeys(map(catalog().as_written, texts)))
    if settings.get("like") is not None or any(name == "like" for one in asked for name, _ in one.options):
        raise RecsqlError("like: conventions has every preset; leave it out")
    plan(texts, k, parted(settings)[1], ("user",))
    recs, truth, settings = kept(recs), kept(truth), {name: kept(value) for name, value in settings.items()}
    presets = [None, *catalog().presets.values()]
    wanted = [(preset, one) for preset in presets for one in asked if preset is None or one.metric not in preset.lacks]
    measured = measure(recs, truth, [under(preset, one) for preset, one in wanted], k, settings)
    for error in (measured[under(None, one)].error for one in asked):
        if error:
            raise RecsqlError(error)
    suspects = [text for preset, one in wanted if preset for text in alone(preset, one, measured).values()]
    measured |= measure(recs, truth, list(dict.fromkeys(suspects)), k, settings) if suspects else {}
    all_rows = [row for preset, one in wanted for row in compared(preset, one, measured)]
    rows = {(row["model"], row["preset"], row["metric"], row["k"]): row for row in all_rows}  # a metric may be asked for twice
    return pa.Table.from_pylist(sorted(rows.values(), key=lambda row: (row["model"] is not None, row["model"] or "")), SCHEMA)


def kept(table: Table) -> Table:
    """What can be read once only, as a table: the metrics are measured twice."""
    return table.read_all() if isinstance(table, pa.RecordBatchReader) else table


def under(preset: Preset | None, asked: Asked, **options: Value) -> str:
    """The metric under a preset, or with further options, as it is asked for."""
    like = {"like": preset.name} if preset else {}
    chosen = like | dict(asked.options) | options
    return str(Asked(asked.metric, tuple((name, chosen[name]) for name in catalog().options if name in chosen), asked.k))


def measure(recs: Table, truth: Table, texts: Sequence[str], k: Cutoffs, settings: Mapping[str, Value]) -> dict[str, Measured]:
    """The metrics by the text that asked for them, in as few scans as their options allow."""
    with calling(("user",), {"recs": recs, "truth": truth}, texts, k, settings) as call:
        columns = dict(each(call))
    return {text: columns[heading(text, settings)] for text in texts}


def heading(text: str, settings: Mapping[str, Value]) -> str:
    """What the column of a metric is called."""
    return plan([text], 1, parted(settings)[1], ("user",))[0].columns[0].heading


def each(call: Call) -> Iterator[tuple[str, Measured]]:
    """Every column of a call with its heading; a pipeline that can't be run gives its error to each of its own."""
    for pipeline, rendering in zip(call.pipelines, call.renderings(averaged=True), strict=True):
        found: list[Row] = []
        error = ""
        try:
            found = call.engine.query(rendering.query("targets/evaluate.sql")).to_pylist()
        except EngineError:
            raise  # what the database can't do says nothing of a convention
        except RecsqlError as refused:
            error = str(refused)
        for column in pipeline.columns:
            rows = {(row["model"], row["k"]): row for row in found if row["metric"] == column.label}
            yield column.heading, Measured({**pipeline.options, **dict(column.asked.options)}, rows, error)


def alone(preset: Preset, asked: Asked, measured: Mapping[str, Measured]) -> dict[str, str]:
    """The options that the preset sets otherwise and that count for the metric, each with the metric under it alone.

    There is none where the preset gives the default's values.
    """
    usual, here = measured[under(None, asked)], measured[under(preset, asked)]
    if all(is_same(row["value"], usual.rows[place]["value"]) for place, row in here.rows.items()):
        return {}
    differing = [name for name in options_of(asked.metric) if here.options[name] != usual.options[name]]
    return {name: under(None, asked, **{name: here.options[name]}) for name in differing}


def compared(preset: Preset | None, asked: Asked, measured: Mapping[str, Measured]) -> Iterator[Row]:
    """The rows of one metric under one preset, beside the default."""
    usual, here = measured[under(None, asked)], measured[under(preset, asked)]
    texts = alone(preset, asked, measured) if preset else {}
    for place, row in usual.rows.items():
        mine = here.rows.get(place, {"value": None, "users": None})
        yield {
            **row,
            "preset": preset.name if preset else "default",
            "metric": asked.label,
            "value": mine["value"],
            "users": mine["users"],
            "difference": less(mine["value"], row["value"]),
            "because": here.error or because(texts, measured, place, row["value"], mine["value"]),
        }


def because(
    texts: Mapping[str, str], measured: Mapping[str, Measured], place: Place, usual: float | None, here: float | None
) -> str:
    """What each option changes by itself, and what they change together beyond that."""
    if is_same(usual, here):
        return ""
    options = {name: measured[text].options[name] for name, text in texts.items()}
    changes = {name: less(measured[text].rows.get(place, {"value": None})["value"], usual) for name, text in texts.items()}
    told = [f"{name}={options[name]} {change:+.3g}" for name, change in changes.items() if change and not is_same(change, 0.0)]
    rest = (less(here, usual) or 0.0) - sum(change or 0.0 for change in changes.values())
    if len(options) > 1 and not is_same(rest, 0.0):
        told.append(f"{' with '.join(f'{name}={value}' for name, value in options.items())} {rest:+.3g}")
    return "; ".join(told)


def less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def is_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=0, abs_tol=SAME)
