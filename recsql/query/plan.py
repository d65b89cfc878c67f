"""Checks the metrics, cut-offs and options of a call, and plans them as one or more pipelines."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import cast

from recsql.base import wording
from recsql.base.errors import RecsqlError, UnknownName, warn
from recsql.catalog import GRAINS, OF_LISTS, catalog
from recsql.catalog.grammar import (
    ALL,
    DEFAULT_CUTOFFS,
    LARGEST,
    WHOLE,
    Asked,
    Cutoffs,
    Inner,
    cutoffs,
    is_named,
    name_in,
    parse_metric,
)
from recsql.catalog.headers import TABLE, Given, Requirement, Value
from recsql.catalog.options import idle, lacking, leaves_out, parse_value, satisfied, text_in
from recsql.catalog.slice_names import SliceName
from recsql.query.metric import Metric
from recsql.query.metric_names import label, options_in_effect, options_of
from recsql.query.needs import metrics_in, needs_cutoff, own_options
from recsql.query.results import Row
from recsql.query.spans import without_meaning
from recsql.query.templates import holds
from recsql.query.ties import without_mean

LISTS = ("user",)  # the grain of metrics of each user's list
HITS = ("user", "hit")  # the rows of the lists
USERS = ("user", "list", "segment")  # also metrics that are means over lists; the users can be grouped by a further table
LISTS_AND_ITEMS = ("user", "list", "item")  # also metrics of all lists together
EVALUATED = (*LISTS_AND_ITEMS, "item_group")  # also metrics with a value for each group of items
ITEMS = ("item", "list", "item_group")
PAIRS = (*LISTS_AND_ITEMS, "pair")  # comparisons; metrics of all lists together only if the call names them
RATINGS = ("rating",)
RANKS = (*LISTS_AND_ITEMS, "rank")  # what ranks models have
PLAN = (*LISTS, "plan")  # what a number of users can show
FINDINGS = (*LISTS_AND_ITEMS, "finding")  # oddities of the tables of LISTS_AND_ITEMS
INTERACTIONS = ("interaction",)  # what a split divides
EVENTS = ("event",)  # what labels are made from
NOT_DEFINING = ("population", "ties", "duplicates", "spans")  # topics of options that don't define a metric; nor does zero_ideal


@dataclass(frozen=True)
class Pipeline:
    """Metrics that one scan computes. They share all options, except those of single metrics."""

    columns: tuple[Metric, ...]
    options: Mapping[str, Value]
    by_call: bool = True  # its options are those of the call, with none from brackets
    rank_by: str | None = None  # the column that the call asks for, which must exist; a preset only prefers one

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(sorted({k for column in self.columns for k in column.ks}))

    @property
    def by(self) -> Sequence[SliceName]:
        """The slices; none without the option by."""
        return cast(tuple[SliceName, ...], self.options["by"] or ())

    def under(self, **options: Value) -> "Pipeline":
        """The same metrics under other options."""
        columns = tuple(replace(one, options={**one.options, **options}) for one in self.columns)
        return replace(self, columns=columns, options={**self.options, **options})

    def with_lengths(self, k: int) -> "Pipeline":
        """The same with a metric that is not shown and reads the lengths of the lists, down to `k`."""
        return replace(self, columns=(Metric("hits", self.options, (k,), shown=False),))


def plan(
    metrics: str | Iterable[str] | None, k: Cutoffs, options: Mapping[str, Given], grains: Sequence[str], *, again: bool = False
) -> list[Pipeline]:
    """The pipelines for a call, with the metrics in its order; raises one error for all that is wrong.

    `again` says that the call was planned before, so that its warnings are not repeated.
    """
    faults: list[RecsqlError] = []
    given = options_in(options, grains, faults)
    known = {**usual(text_in(given, "like"), grains=grains), **given}
    asked: list[tuple[Metric, bool]] = []
    for text, named in list_metrics(metrics, known, grains):
        with added_to(faults):
            asked.append((resolve(text, given, grains, k, named=named, others_are_right=not faults), named))
            if not (faults or again):
                warn_unlike(text, unlike(text, asked[-1][0], defining(asked[-1][0].metric)))
    for name in given:
        idling = [idle(catalog().options[name], one.options) for one, _ in asked]
        faults += [RecsqlError(idling[0])] if idling and all(idling) else []
    if metrics is not None and not asked and not faults:
        faults.append(RecsqlError(catalog().say("no_metrics")))
    if metrics is None and given.get("like") and not (asked or faults) and catalog().usual_metrics(grains[0]):
        faults.append(not_in(text_in(given, "like"), "metrics"))
    ks = cutoffs(DEFAULT_CUTOFFS if k is None and "rating" not in grains else k, faults)
    beyond = [k for k in {*ks, *(k for one, _ in asked for k in one.ks)} if LARGEST < k < WHOLE and known["budget"] is None]
    faults += [RecsqlError(catalog().say("cutoffs", found=k)) for k in beyond]
    groups: dict[object, list[Metric]] = {}  # by the options of a pipeline, except the preset's name
    places: dict[str, int] = {}
    for one, named in asked:
        with added_to(faults):
            if (own := cutoffs_of(one, one.ks or ks, named=named)) or not (one.ks or ks):
                of_pipeline = tuple((name, value) for name, value in one.shared.items() if name != "like")
                place = places.setdefault(one.heading, sum(map(len, groups.values())))
                groups.setdefault(of_pipeline, []).append(replace(one, ks=own, order=place))
    if faults:
        unknown = all(isinstance(fault, UnknownName) for fault in faults)
        raise (UnknownName if unknown else RecsqlError)("; ".join(map(str, faults)))
    by = order_in(given)
    users_first = sorted(groups.values(), key=lambda group: group[0].grain == "list")  # the counts of the first one are reported
    return [pipeline(group, known, by) for group in users_first] or [Pipeline((), known, rank_by=by)]


@contextmanager
def added_to(faults: list[RecsqlError]) -> Iterator[None]:
    """Adds an error to `faults`, to raise it together with others."""
    try:
        yield
    except RecsqlError as fault:
        faults.append(fault)


def options_in(options: Mapping[str, Given], grains: Sequence[str], faults: list[RecsqlError]) -> dict[str, Value]:
    """The options given, in the form that the templates expect; errors are added to `faults`."""
    given: dict[str, Value] = {}
    for name, value in options.items():
        with added_to(faults):
            option = catalog().option(name, grains=grains)
            if option.name == "gain" and isinstance(value, Mapping):
                given["gain"], option = "map", catalog().options["gain_map"]
            if value is not None:
                given[option.name] = parse_value(option, value)
    return given


def usual(like: str | None, metric: str = "", grains: Sequence[str] = LISTS, *, whole: bool = False) -> dict[str, Value]:
    """The defaults under a preset: those of a metric if `metric` is given, of the `whole` list or not, and those of splits."""
    known: dict[str, Value] = {name: option.default for name, option in catalog().options.items()}
    preset = catalog().presets[like] if like else None
    of_preset = {} if preset is None else preset.split if "interaction" in grains else preset.options_of(metric, whole=whole)
    return known | {"like": like} | dict(of_preset)


def list_metrics(
    metrics: str | Iterable[str] | None, known: Mapping[str, Value], grains: Sequence[str]
) -> Iterator[tuple[str, bool]]:
    """The metrics asked for, and whether the call names them. `all` and the defaults have those that the options allow."""
    if metrics is None:
        yield from ((name, False) for name in available(known, grains, usual_alone=True))
        return
    for text in as_list(metrics):
        if isinstance(text, str) and text.strip().lower() == ALL:
            yield from ((name, False) for name in available(known, grains, usual_alone=False))
        elif isinstance(text, Inner) and len(as_list(metrics)) > 1 and without_meaning(parse_metric(text).metric, known):
            yield Inner("rr"), True  # also reads the order of a list, and needs no ideal one
        else:
            yield text, True


def written_out(metrics: str | Iterable[str] | None, options: Mapping[str, Given], grains: Sequence[str]) -> list[str]:
    """The metrics of a call by name, with `all` and the default metrics written out."""
    given = options_in(options, grains, [])  # `plan` raises their errors
    return [text for text, _ in list_metrics(metrics, {**usual(text_in(given, "like")), **given}, grains)]


def as_list(metrics: str | Iterable[str]) -> list[str]:
    """One metric or several, as a list; anything else is refused when it is parsed."""
    return [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else list(metrics)


def resolve(
    text: str, given: Mapping[str, Value], grains: Sequence[str], k: Cutoffs, *, named: bool, others_are_right: bool
) -> Metric:
    """One metric with its options, those in its brackets first, and its own cut-off; RecsqlError if the call can't have it."""
    asked = parse_metric(text, text_in(given, "like") if named else None, at_k=is_named(k))
    own = dict(asked.options)
    like = text_in({**given, **own}, "like")
    base = usual(like, asked.metric, whole=(asked.k or cutoffs(k, [])) in (WHOLE, (WHOLE,)))
    grain = catalog().metrics[asked.metric].grain
    options = {**base, **given, **own, **(OF_LISTS if grain == "list" else {})}
    if grain == "list" and options["users"] == "intersection" and "user" in grains:
        options["no_truth"] = "skip"  # a list counts if its user has relevant items
    if grain not in grains:
        raise RecsqlError(f"{asked.metric} is not available here; {GRAINS[grain].format_map(wording.functions())}")
    if grain == "rating" and asked.k:
        raise RecsqlError(f"{asked}: ratings have no cut-off; write {asked.label}")
    for name, _ in asked.options:
        if name not in ("like", *options_in_effect(asked.metric, options)):
            raise UnknownName(f"{asked}: {asked.metric} does not read {name}; leave it out of the brackets")
        if sentence := idle(catalog().options[name], options):
            raise RecsqlError(f"{asked}: {sentence}")
    if named and not isinstance(text, Inner) and not has(like, asked.metric, name_in(text)):
        raise not_in(like, asked.said)
    definition = label(asked, like, options, base)
    ks = (asked.k,) if asked.k else ()
    found = Metric(asked.metric, options, ks=ks, heading=asked.said, label=definition, rank_by=order_in(own))
    if others_are_right:  # otherwise the missing option may be the refused one
        for requirement in unmet(asked.metric, options):
            raise RecsqlError(lacking(requirement, asked))
    return found


def cutoffs_of(metric: Metric, ks: tuple[int, ...], *, named: bool) -> tuple[int, ...]:
    """The cut-offs of `ks` at which a metric has a value; RecsqlError if the call names it and it has none for the whole list."""
    needing = needs_cutoff(metric.metric, metric.options) if WHOLE in ks else ""
    if needing and named:
        raise RecsqlError(catalog().say("whole_list", metric=metric.heading, what=needing))
    return tuple(k for k in ks if k != WHOLE) if needing else ks


def hint_at_users(pipelines: Iterable[Pipeline], models: Sequence[Row], idle_truth: int | None = None) -> None:
    """Warns if a library defines a metric of this name alike but counts other users, and the tables have such users.

    `idle_truth` is the number of rows of truth that are not relevant or repeat others; None if it is not known.
    """
    counts = {"no_recs": "users_without_list", "no_truth": "lists_without_truth"}
    concerned = {name for name, count in counts.items() if any(one[count] for one in models)}
    alike = () if idle_truth else ("zero_below_threshold",)
    for metric in (one for pipeline in pipelines for one in pipeline.columns if one.shown):
        heading = metric.heading
        if not all(unlike(heading, metric, defining(metric.metric)).values()):
            warn_unlike(heading, unlike(heading, metric, concerned, alike))


def warn_unlike(text: str, told: Mapping[str, str]) -> None:
    """Warns if a metric differs from that of the same name in some libraries."""
    if told and all(told.values()):
        library = next(iter(told))
        warn(f"{text} is {library}'s name, and its convention differs ({told[library]}): add like={library!r}")


def unlike(text: str, metric: Metric, counted: Collection[str], alike: Sequence[str] = ()) -> dict[str, str]:
    """The libraries with this name for a metric, and the options that differ there, but for `alike` values; {} with a preset."""
    name, options = metric.metric, metric.options
    libraries = catalog().metrics[name].libraries(name_in(text)) if options["like"] is None else []
    read = [option for option in options_in_effect(name, options) if option in counted]
    theirs = {library: usual(library, name) for library in libraries}
    differing = {one: [name for name in read if its[name] not in (options[name], *alike)] for one, its in theirs.items()}
    return {one: ", ".join(f"{name} = {theirs[one][name]}" for name in names) for one, names in differing.items()}


def defining(metric: str) -> set[str]:
    """The options that define a metric: all but those that say which users or copies count, or how ties are ordered."""
    known = catalog().options
    return {name for name in own_options(metric) if known[name].topic not in NOT_DEFINING and name != "zero_ideal"}


def pipeline(group: Sequence[Metric], known: Mapping[str, Value], by: str | None) -> Pipeline:
    """The pipeline for metrics that have the same pipeline options; `by` is the order that the call asks for."""
    options = {**known, **group[0].shared}
    wanted: dict[str, Metric] = {}
    for one in group:
        before = wanted.setdefault(one.heading, replace(one, ks=()))
        wanted[one.heading] = replace(before, ks=tuple(dict.fromkeys((*before.ks, *one.ks))))
    in_brackets = next((one.rank_by for one in group if one.rank_by), by)
    return Pipeline(columns(wanted.values(), options), options, options == dict(known), in_brackets)


def order_in(given: Mapping[str, Value]) -> str | None:
    """The column that rank_by asks to order the lists by; None without the option."""
    return "rank" if given.get("rank_by") == "position" else text_in(given, "rank_by")


def available(known: Mapping[str, Value], grains: Sequence[str], *, usual_alone: bool) -> list[str]:
    """The metrics of the first grain, all or the usual ones, and except in comparisons those of other grains with their table."""
    tables = {option.home.grain for name, option in catalog().options_of(grains).items() if known[name] == TABLE}
    given = (tables & {*grains}) - {"user"} if "pair" not in grains else set()
    of_grain = catalog().usual_metrics if usual_alone else catalog().metrics_of
    fit = [*of_grain(grains[0]), *(name for grain in sorted(given - {grains[0]}) for name in of_grain(grain))]
    headers = {name: catalog().metrics[name].header for name in fit}
    of_spans = {name for name in fit if headers[name].get("spans") == "only" and known["spans"] == "true"}
    named = [name for name in fit if name in of_spans or not headers[name].get("by_name")]
    there = [name for name in named if has(text_in(known, "like"), name)]
    return [name for name in there if not any(leaves_out(one) for one in unmet(name, known))]


def not_in(like: str | None, metric: str) -> RecsqlError:
    """The error for a metric that a preset does not give."""
    return RecsqlError(catalog().say("not_in_preset", metric=metric, like=like, has=", ".join(catalog().presets[str(like)].has)))


def has(like: str | None, metric: str, name: str = "") -> bool:
    """Whether a preset gives a metric, or `name` is the library's own for it; without a preset, every metric is there."""
    return like is None or metric in (preset := catalog().presets[like]).has or name in preset.names


def unmet(metric: str, known: Mapping[str, Value]) -> list[Requirement]:
    """The requirements of a metric that are not met, also a mean over all orders of ties, a meaning with spans or a budget."""
    found = [one for one in catalog().metrics[metric].requires if holds(one.when, known) and not satisfied(one, known)]
    if not found and known["ties"] == "expected" and (why := without_mean(metric, known)):
        found.append(Requirement(where={"ties": "expected"}, why=why))
    if said := without_meaning(metric, known):
        found.append(Requirement(said=said))
    return found


def columns(wanted: Iterable[Metric], known: Mapping[str, Value]) -> tuple[Metric, ...]:
    """The metrics of a pipeline with distinct names, and hidden ones from whose means others are computed."""
    found: list[Metric] = []
    for metric in wanted:
        found.append(replace(metric, name=named_apart(metric.metric, found)))
    for place, metric in enumerate(list(found)):
        if metric.average in catalog().averages:
            parts = catalog().averages[metric.average]["parts"]
            found[place] = replace(metric, made_of=tuple(part_of(metric, part, found) for part in parts))
        elif metric.average == "of_means":
            made_of = tuple(mean_for(metric, name, found, known) for name in metrics_in(metric.metric))
            found[place] = replace(metric, made_of=made_of)
    return tuple(found)


def part_of(metric: Metric, part: str, others: list[Metric]) -> str:
    """The column, which is hidden, of what a metric adds up for its mean."""
    column = named_apart(metric.metric, others)
    others.append(replace(metric, name=column, part=part, shown=False, order=-len(others)))
    return column


def mean_for(metric: Metric, name: str, others: list[Metric], known: Mapping[str, Value]) -> str:
    """The column of another metric with the options and cut-offs of `metric`; a hidden one if none is shown."""
    read = {option: metric.options[option] for option in options_of(name)}
    for other in others:
        if other.metric == name and read.items() <= other.options.items() and {*metric.ks} <= {*other.ks}:
            return other.name
    differing = tuple((option, value) for option, value in read.items() if value != known[option])
    column = named_apart(name, others)
    definition = Asked(name, differing).label
    others.append(Metric(name, metric.options, metric.ks, name, definition, column, shown=False, order=-len(others)))
    return column


def named_apart(name: str, others: Iterable[Metric]) -> str:
    """The name of a column, with a number appended if another column has it."""
    taken = {other.name for other in others}
    return next(free for free in chain([name], (f"{name}_{i}" for i in count(2))) if free not in taken)
