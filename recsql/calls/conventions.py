"""The same lists under the convention of every preset, and the options that make each difference."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import pyarrow as pa

from recsql.base.errors import EngineError, RecsqlError
from recsql.calls.call import Call, Metrics, Table, calling, parted
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, Asked, Cutoffs, as_written
from recsql.catalog.headers import Preset, Value
from recsql.query.labels import counting
from recsql.query.plan import LISTS, plan, written_out
from recsql.query.render import Query

SAME = 1e-9  # smaller differences count as equal
Row = dict[str, Any]
Place = tuple[str | None, int]  # a model and a cut-off
VALUES = ("value", "users", "lists")
SCHEMA = pa.schema(
    {
        "model": pa.string(),
        "preset": pa.string(),
        "metric": pa.string(),
        "k": pa.int32(),
        "value": pa.float64(),
        "users": pa.int64(),
        "lists": pa.int64(),
        "difference": pa.float64(),
        "because": pa.string(),
        "definition": pa.string(),
    }
)


@dataclass(frozen=True)
class Measured:
    """A metric under one set of options: its rows by model and cut-off, or the reason why there are none."""

    options: Mapping[str, Value]
    rows: Mapping[Place, Row]
    error: str = ""

    def value(self, place: Place) -> float | None:
        return self.rows[place]["value"] if place in self.rows else None


def conventions(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = DEFAULT_CUTOFF, **settings: Value) -> pa.Table:
    """Computes each metric under the default convention and under that of every preset, and explains the differences.

    Args:
        recs, truth, settings: As in `evaluate`, without `like`. An option that you give overrides every preset.
        metrics: As in `evaluate`.
        k: The cut-offs, 10 by default.

    Returns:
        One row per model, preset ("default" first), metric and cut-off: model, preset, metric, k, value, users and lists as in
        `evaluate`, difference (from the default) and because. A metric that the other library does not have is left out.

        `because` lists the options of the preset that the difference depends on, each with the change that it makes by itself.
        An entry "together" has the rest, so that the changes add up. If there is no value, `because` is the reason.

    Raises:
        RecsqlError: As `evaluate` does, if even the default can't be computed.
    """
    options = parted(settings)[1]
    texts = written_out(metrics, options, LISTS)
    asked = list({(one, one.said): one for one in map(as_written, texts)}.values())
    if options.get("interval") is not None:
        raise RecsqlError("interval: conventions compares values of the same users; leave interval= out")
    if options.get("by") is not None:
        raise RecsqlError("by: conventions compares values of all users; leave by= out")
    if settings.get("like") is not None or any(name == "like" for one in asked for name, _ in one.options):
        raise RecsqlError("like: conventions computes every preset; leave it out")
    k = None if all(one.k for one in asked) else k
    plan([str(one) for one in asked], k, options, LISTS)  # by our own names, as every convention is in the result
    recs, truth, settings = kept(recs), kept(truth), {name: kept(value) for name, value in settings.items()}
    presets = [None, *catalog().presets.values()]
    wanted = [(preset, one) for preset in presets for one in asked if preset is None or one.metric not in preset.lacks]

    def further(texts: Iterable[str]) -> dict[str, Measured]:
        return measure(recs, truth, list(dict.fromkeys(texts)), k, settings)

    measured = further(under(preset, one) for preset, one in wanted)
    for error in (measured[under(None, one)].error for one in asked):
        if error:
            raise RecsqlError(error)
    of_presets = [(preset, one) for preset, one in wanted if preset]
    measured |= further([text for preset, one in of_presets for text in alone(preset, one, measured).values()])
    found = list(differences(of_presets, measured))
    reasons = {
        (under(one.preset, one.asked), one.place): one.because(names)
        for one, names in zip(found, needed(found, measured, further), strict=True)
    }
    all_rows = [row for preset, one in wanted for row in compared(preset, one, measured, reasons)]
    rows = {(row["model"], row["preset"], row["metric"], row["k"]): row for row in all_rows}  # a metric may be named twice
    models = list(dict.fromkeys(row["model"] for row in rows.values()))
    return pa.Table.from_pylist(sorted(rows.values(), key=lambda row: models.index(row["model"])), SCHEMA)


def kept(table: Table) -> Table:
    """An input that can be read only once, as a table: the metrics are computed in several rounds."""
    if isinstance(table, Mapping):
        return {model: kept(one) for model, one in table.items()}
    return table.read_all() if isinstance(table, pa.RecordBatchReader) else table


def under(preset: Preset | None, asked: Asked, **options: Value) -> str:
    """The text of the metric under a preset, or with further options."""
    like = {"like": preset.name} if preset else {}
    chosen = like | dict(asked.options) | options
    return str(Asked(asked.metric, tuple((name, chosen[name]) for name in catalog().options if name in chosen), asked.k))


def measure(recs: Table, truth: Table, texts: Sequence[str], k: Cutoffs, settings: Mapping[str, Value]) -> dict[str, Measured]:
    """The metrics by the text that asked for them, in as few scans as their options allow."""
    if not texts:
        return {}
    with calling(LISTS, {"recs": recs, "truth": truth}, texts, k, settings) as call:
        columns = dict(each(call))
    return {text: columns[as_written(text).said] for text in texts}


def each(call: Call) -> Iterator[tuple[str, Measured]]:
    """Every column of a call with its heading. If a pipeline can't run, each of its columns gets the error."""
    for pipeline, binding in zip(call.pipelines, call.bindings(averaged=True), strict=True):
        found: list[Row] = []
        error = ""
        try:
            found = call.engine.query(Query(binding, "evaluate").statement()).to_pylist()
        except EngineError:
            raise  # a failure of the database says nothing about a convention
        except RecsqlError as refused:
            error = str(refused)
        for column in pipeline.columns:
            rows = {(row["model"], row["k"]): row for row in found if row["metric"] == column.heading}
            yield column.heading, Measured({**pipeline.options, **dict(column.asked.options)}, rows, error)


def alone(preset: Preset, asked: Asked, measured: Mapping[str, Measured]) -> dict[str, str]:
    """The options of the preset that differ from the default and affect the metric, each with the metric under it alone.

    There are none if the preset gives the same values as the default.
    """
    usual, here = measured[under(None, asked)], measured[under(preset, asked)]
    if all(is_same(row["value"], usual.value(place)) for place, row in here.rows.items()):
        return {}
    differing = [name for name in counting(asked.metric, here.options) if here.options[name] != usual.options[name]]
    return {name: under(None, asked, **{name: here.options[name]}) for name in differing}


@dataclass(frozen=True)
class Difference:
    """Why one value differs from the default: what each option of the preset changes alone, and what all change together."""

    preset: Preset
    asked: Asked
    place: Place
    options: Mapping[str, Value]
    changes: Mapping[str, float | None]
    usual: float
    here: float

    @property
    def whole(self) -> float:
        return self.here - self.usual

    @property
    def adds_up(self) -> bool:
        return is_same(self.whole, sum(change or 0.0 for change in self.changes.values()))

    @property
    def dispensable(self) -> list[set[str]]:
        """What to leave out, in turn: first all options that change nothing alone, then each option, smallest change first."""
        least_first = sorted(self.options, key=lambda name: abs(self.changes[name] or 0.0))
        return [{name for name in self.options if is_same(self.changes[name], 0.0)}, *({name} for name in least_first)]

    def text(self, names: Collection[str]) -> str:
        """The metric under only some of the options."""
        return under(None, self.asked, **{name: self.options[name] for name in names})

    def because(self, needed: Collection[str]) -> str:
        """What each needed option changes alone, then what is left, as a change of all together."""
        told = [told_of(name, self.options[name], self.changes[name]) for name in self.options if name in needed]
        rest = self.whole - sum(self.changes[name] or 0.0 for name in needed)
        return "; ".join(told if is_same(rest, 0.0) else [*told, f"together {rest:+.3g}"])


def told_of(name: str, value: Value, change: float | None) -> str:
    if change is None:  # the metric can't be computed under this option alone
        return f"{name}={value}"
    return f"{name}={value} {0.0 if is_same(change, 0.0) else change:+.3g}"


def differences(wanted: Sequence[tuple[Preset, Asked]], measured: Mapping[str, Measured]) -> Iterator[Difference]:
    """Every value of a preset that differs from the default."""
    for preset, asked in wanted:
        usual, here = measured[under(None, asked)], measured[under(preset, asked)]
        texts = alone(preset, asked, measured)
        options = {name: here.options[name] for name in texts}
        for place, row in here.rows.items():
            before, after = usual.value(place), row["value"]
            if before is not None and after is not None and not is_same(before, after):
                changes = {name: less(measured[text].value(place), before) for name, text in texts.items()}
                yield Difference(preset, asked, place, options, changes, before, after)


def needed(
    found: Sequence[Difference], measured: dict[str, Measured], further: Callable[[Iterable[str]], dict[str, Measured]]
) -> list[list[str]]:
    """The options of each difference that its value depends on.

    If the changes add up, options that change nothing alone are dropped. Otherwise options are left out in turn, and stay out if
    the value remains the same. Values that this needs are added to `measured`.
    """
    kept = [[name for name, change in one.changes.items() if not (one.adds_up and is_same(change, 0.0))] for one in found]
    in_turn = [[] if one.adds_up else one.dispensable for one in found]
    for turn in range(max(map(len, in_turn), default=0)):
        turns = {n: sets[turn] for n, sets in enumerate(in_turn) if turn < len(sets)}
        fewer = {n: [name for name in kept[n] if name not in left_out] for n, left_out in turns.items()}
        texts = [found[n].text(names) for n, names in fewer.items()]
        measured |= further(text for text in texts if text not in measured)
        for n, names in fewer.items():
            if is_same(measured[found[n].text(names)].value(found[n].place), found[n].here):
                kept[n] = names
    return kept


def compared(
    preset: Preset | None, asked: Asked, measured: Mapping[str, Measured], reasons: Mapping[tuple[str, Place], str]
) -> Iterator[Row]:
    """The rows of one metric under one preset, compared with the default."""
    usual, here = measured[under(None, asked)], measured[under(preset, asked)]
    for place, row in usual.rows.items():
        mine = here.rows.get(place, dict.fromkeys(VALUES))
        yield {
            **row,
            "preset": preset.name if preset else "default",
            "metric": asked.said,
            **{name: mine[name] for name in VALUES},
            "difference": less(mine["value"], row["value"]),
            "because": here.error or reasons.get((under(preset, asked), place), ""),
            "definition": asked.label,
        }


def less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def is_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=0, abs_tol=SAME)
