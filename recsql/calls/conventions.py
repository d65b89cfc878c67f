"""Metrics under the convention of every preset, and what each option of a preset changes."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, product
from math import inf, isclose

import pyarrow as pa

from recsql.base.errors import EngineError, RecsqlError
from recsql.base.printing import STATUS
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.open_call import opened, parse_settings
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, Asked, Cutoffs, parse_metric
from recsql.catalog.headers import Given, Value
from recsql.engines.shared import sharing
from recsql.query.metric_names import options_in_effect
from recsql.query.plan import LISTS_AND_ITEMS, plan, written_out
from recsql.query.render import Query
from recsql.query.results import Row, of_words
from recsql.tables.columns import orders_of

DEFAULT = "default"
KEYS = ("model", "preset", "metric", "k")  # a metric has its rows once, even if it is named twice
WITHOUT_SCORES = "no scores, so ordered by rank"  # of one model among others, under a preset that orders by score
SAME = 1e-9  # smaller differences count as equal
Place = tuple[str | None, int | None]  # a model and a cut-off
Changes = Mapping[str, float | None]  # by option, its change; or a sentence without a change
ENDS = ("low", "high")  # of the interval that a value over a sample has
MEAN = ("value", "users", "lists", *ENDS)  # columns that are those of `evaluate`
COLUMNS = (*KEYS, *MEAN, "difference", "because", "definition")
TYPES = {"k": pa.int32(), "users": pa.int64(), "lists": pa.int64(), **dict.fromkeys(("value", "difference", *ENDS), pa.float64())}
SCHEMA = pa.schema([(name, TYPES.get(name, pa.string())) for name in COLUMNS])
MANY, ENOUGH = 1_000_000, 1_000  # with more rows of recs, users are drawn: those of so many rows, but not fewer users
LEVEL = 0.95  # of the intervals over a sample
OF_ALL = "not a mean over users, so not computed over a sample of them"
NOTHING: Row = dict.fromkeys(MEAN)


@dataclass(frozen=True)
class Measured:
    """A metric under one set of options: its means, or why it has none."""

    options: Mapping[str, Value]
    means: Mapping[Place, Row]
    error: str

    def value(self, place: Place) -> float | None:
        found: float | None = self.means.get(place, NOTHING)["value"]
        return found


def conventions(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = DEFAULT_CUTOFF, **settings: Given) -> pa.Table:
    """Computes each metric under the default convention and under that of every preset, and explains the differences.

    Takes the arguments of `evaluate` without `like`, and k is 10 by default. An option that you give overrides every preset.

    Returns:
        One row per model, preset ("default" first), metric and cut-off: model, preset, metric, k, value, users and lists as in
        `evaluate`, difference (from the default) and because. A metric that the other library does not have is left out.

        `because` lists the options in which the preset differs from the default, each with the change that it makes alone, or
        says why there is no value. "together" is the rest of the difference. Without a rest, options that change nothing alone
        are not listed. It also says if a preset orders by score, and this model has none, but others have some. In the
        metadata, `reasons` has these as rows: model, preset, metric, k, because (the option) and change.

        If recs have more than a million rows, the values are over a sample of the users, each with its 95 % interval in low and
        high. In the metadata, `sample` says how many users of how many were drawn. `sample=1` takes all users.

    Raises:
        RecsqlError: As `evaluate` does, if even the default can't be computed.
    """
    return by_preset(recs, truth, metrics, k, settings)


@STATUS.computing("conventions")
def by_preset(
    recs: Table, truth: Table, metrics: Metrics, k: Cutoffs, settings: Mapping[str, Given], *, explained: bool = True
) -> pa.Table:
    """The rows of `conventions`; unless they are `explained`, without the options that make a difference."""
    _, options = parse_settings(settings)
    asked = list({(one, one.said): one for one in map(parse_metric, written_out(metrics, options, LISTS_AND_ITEMS))}.values())
    if options.get("interval") is not None:
        raise RecsqlError("interval: conventions has no intervals; leave interval= out")
    if options.get("by") is not None:
        raise RecsqlError("by: conventions has no slices; leave by= out")
    if settings.get("like") is not None or any(name == "like" for one in asked for name, _ in one.options):
        raise RecsqlError("like: conventions computes every preset; leave it out")
    k = None if all(one.k for one in asked) else k
    plan([str(one) for one in asked], k, options, LISTS_AND_ITEMS)  # by our own names, because the result has every convention
    having = {DEFAULT: [one.metric for one in asked], **{name: one.has for name, one in catalog().presets.items()}}
    wanted = [(preset, one) for preset, has in having.items() for one in asked if one.metric in has]
    metrics, measured = refused_apart((under(*each) for each in wanted), k, options)
    tables = {"recs": recs, "truth": truth}
    with sharing(settings.get("connection")), opened(tables, LISTS_AND_ITEMS, settings, metrics, k, of_items=True) as call:
        chosen = options.get("sample") is not None or any("sample" in dict(one.options) for one in asked)
        drawn, sample = (call, None) if chosen else draw(call)
        measured |= measure(drawn)
        for one in asked:
            if (usual := measured[under(DEFAULT, one).label]).error and not usual.means:
                raise RecsqlError(usual.error)
        measured |= refuse_grades(call, wanted, measured)
        found = [one for each in wanted for one in find_options(*each, measured).values()] if explained else []
        alone, refused = refused_apart(found, k, options)
        planned = plan(alone, k, options, LISTS_AND_ITEMS) if alone else []
        share = {"sample": sample["share"]} if sample else {}
        further = [call.order(replace(one, rank_by=None)).under(**share) for one in planned]  # without scores, ranks stay
        measured |= refused | dict(measure(replace(call, pipelines=further)))
        words = of_words()
    each = call.found["recs"].models or {None: call.found["recs"]}
    orders = {own or model: order for model, one in each.items() for own, order in orders_of(one, "score").items()}
    ranked = {model for model, order in orders.items() if order == "rank" and "score" in orders.values()}
    found_of = chain.from_iterable(compare_preset(*each, measured, ranked) for each in wanted)
    told = {tuple(row[name] for name in KEYS): (row, why) for row, why in found_of}
    models = list(dict.fromkeys(model for model, *_ in told))
    by_model = [told[key] for key in sorted(told, key=lambda key: models.index(key[0]))]
    reasons = [
        {name: row[name] for name in KEYS} | {"because": option, "change": change}
        for row, why in by_model
        for option, change in why.items()
    ]
    metadata = {"recsql": json.dumps({**words, "reasons": reasons} | ({"sample": sample} if sample else {}))}
    table = pa.Table.from_pylist([row for row, _ in by_model], SCHEMA.with_metadata(metadata))
    return table if sample else table.drop_columns([*ENDS])


def draw(call: Call) -> tuple[Call, dict[str, float] | None]:
    """The call over a sample of the users, with its size; the call itself if it is short, or can't have a sample."""
    known = size(call)
    share = float(f"{max(MANY / (known['rows'] or 1), ENOUGH / (known['users'] or 1)):.2g}")  # as definitions say it
    if share >= 1 or known["is_apart"] or all(column.grain == "item" for one in call.pipelines for column in one.columns):
        return call, None
    drawn = replace(call, pipelines=[one.under(sample=share, interval=LEVEL) for one in call.pipelines])
    return drawn, {"share": share, "users": size(drawn)["users"], "of": known["users"], "interval": LEVEL}


def size(call: Call) -> Row:
    """The numbers of rows of recs and of users of the truth, and whether engines draw other users."""
    found: list[Row] = call.engine.query(Query(next(call.bindings()), "size").statement()).to_pylist()
    return found[0]


def under(preset: str, asked: Asked, **options: Value) -> Asked:
    """The metric under a preset, or with further options."""
    chosen: dict[str, Value] = {} if preset == DEFAULT else {"like": preset}
    chosen |= dict(asked.options) | options
    return Asked(asked.metric, tuple((name, chosen[name]) for name in catalog().options if name in chosen), asked.k)


def refused_apart(asked: Iterable[Asked], k: Cutoffs, options: Mapping[str, Given]) -> tuple[list[str], dict[str, Measured]]:
    """The metrics that can be computed under their options, and the others with the reason."""
    found, refused = [], {}
    for one in dict.fromkeys(asked):
        try:
            plan([str(one)], k, options, LISTS_AND_ITEMS)
            found.append(str(one))
        except RecsqlError as error:
            refused[one.label] = Measured({}, {}, str(error))
    return found, refused


def measure(call: Call) -> Iterator[tuple[str, Measured]]:
    """Every metric of a call with its heading. If a query can't run, each of its metrics gets the error."""
    for pipeline, binding in zip(call.pipelines, call.bindings(averaged=True), strict=True):
        rows, error = [], ""
        try:
            rows = call.engine.query(Query(binding, "evaluate").statement()).to_pylist()
        except EngineError:
            raise  # the database failed, not the convention
        except RecsqlError as refused:
            error = str(refused)
        for column in pipeline.columns:
            own = [row for row in rows if row["metric"] == column.heading]
            lost = column.grain == "item" and column.options["interval"] is not None  # which only a sample drawn here has
            means = {(row["model"], row["k"]): NOTHING if lost else {name: row.get(name) for name in MEAN} for row in own}
            rank_by = str(column.options["rank_by"]).partition(",")[0]  # the first choice, if models differ
            yield column.heading, Measured({**column.options, "rank_by": rank_by}, means, OF_ALL if lost and own else error)


def refuse_grades(call: Call, wanted: Iterable[tuple[str, Asked]], measured: Mapping[str, Measured]) -> dict[str, Measured]:
    """The metrics of presets to which rows of grade 0 or below are relevant, without values if the truth has some."""
    grades = [row["grade"] for row in call.engine.query(Query(next(call.bindings()), "grade").statement()).to_pylist()]
    found = {}
    for grade, (preset, asked) in product(grades, wanted):
        usual, here = (measured[under(one, asked).label] for one in (DEFAULT, preset))
        options = [one.options for one in (here, usual) if here.means]
        thresholds = [-inf if one["relevant"] == "present" else one["relevance_threshold"] for one in options]
        counted = [least is not None and grade >= least for least in thresholds]
        if counted == [True, False] and "relevant" in options_in_effect(asked.metric, here.options):
            error = f"not applicable: the truth has rows of grade {grade:g}"
            found[under(preset, asked).label] = replace(here, means={}, error=error)
    return found


def find_options(preset: str, asked: Asked, measured: Mapping[str, Measured]) -> dict[str, Asked]:
    """The options in which a preset with other values differs from the default, as "gain=binary", and the metric under each."""
    usual, here = measured[under(DEFAULT, asked).label], measured[under(preset, asked).label]
    if all(is_same(mean["value"], usual.value(place)) for place, mean in here.means.items()):
        return {}
    options = {name: here.options[name] for name in options_in_effect(asked.metric, here.options)}
    return {
        f"{name}={value}": under(DEFAULT, asked, **{name: value})
        for name, value in options.items()
        if value != usual.options[name]
    }


def compare_preset(
    preset: str, asked: Asked, measured: Mapping[str, Measured], ranked: Collection[str | None]
) -> Iterator[tuple[dict[str, object], Changes]]:
    """The rows of one metric under one preset with the reasons for its difference; `ranked` models have no scores, others do."""
    usual, here = measured[under(DEFAULT, asked).label], measured[under(preset, asked).label]
    found = find_options(preset, asked, measured).items()
    alone = {option: measured[one.label] for option, one in found if one.label in measured}
    sample = {name: value for name, value in usual.options.items() if name == "sample" and value != 1}
    for place, before in usual.means.items():
        mean = here.means.get(place, NOTHING)
        changes = {option: less(one.value(place), before["value"]) for option, one in alone.items()}
        difference = less(mean["value"], before["value"])
        why: dict[str, float | None] = {here.error: None} if here.error else {**find_reasons(difference, changes)}
        if not here.error and here.options["rank_by"] == "score" and place[0] in ranked:
            why[WITHOUT_SCORES] = None
        because = "; ".join(option if change is None else f"{option} {change:+.3g}" for option, change in why.items())
        row = {"model": place[0], "preset": preset, "metric": asked.said, "k": place[1], **mean}
        yield {**row, "difference": difference, "because": because, "definition": under(DEFAULT, asked, **sample).label}, why


def find_reasons(difference: float | None, changes: Changes) -> Changes:
    """The change that each option makes alone, if it has one, and the rest; empty for the same value, or if none is known."""
    if difference is None or is_same(difference, 0.0) or not changes:
        return {}
    rest = difference - sum(change or 0.0 for change in changes.values())
    if is_same(rest, 0.0):
        return {option: change for option, change in changes.items() if not is_same(change, 0.0)}
    return {**{option: 0.0 if is_same(change, 0.0) else change for option, change in changes.items()}, "together": rest}


def less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def is_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=0, abs_tol=SAME)
