"""What a call asks for, checked: metrics, cut-offs and options, as one or more pipelines to run."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from recsql.base import wording
from recsql.base.errors import RecsqlError, UnknownName, warn
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import ALL, DEFAULT_CUTOFFS, WHOLE, Asked, Cutoffs, as_written, cutoffs, name_in
from recsql.catalog.headers import TABLE, Requirement, Value
from recsql.catalog.options import checked, idle, lacking, leaves_out, satisfied
from recsql.query.binding import Column
from recsql.query.labels import counting, label, options_of
from recsql.query.needs import always_needs, needing_cutoff, own_options

LISTS = ("user",)  # the grain of metrics of each user's list
USERS = ("user", "segment")  # the same, for functions that can group the users by a further table
LISTS_AND_ITEMS = ("user", "item")  # and that of metrics of all lists together
ITEMS = ("item",)
PAIRS = (*LISTS_AND_ITEMS, "pair")  # metrics of two models; those of all lists together only if they are named
RATINGS = ("rating",)
INTERACTIONS = ("interaction",)  # what a split divides
EVENTS = ("event",)  # what labels are made from
NOT_DEFINING = ("population", "ties", "duplicates")  # topics of options; zero_ideal is about users as well


@dataclass(frozen=True)
class Pipeline:
    """Metrics that one scan computes: all their options are the same, except the options of the metrics themselves."""

    columns: tuple[Column, ...]
    options: Mapping[str, Value]
    by_call: bool = True  # it uses the options of the call, not those in brackets
    rank_by: str | None = None  # the column asked for: it must exist, unlike one that a preset prefers

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(sorted({k for column in self.columns for k in column.ks}))

    def options_of(self, column: Column) -> dict[str, Value]:
        """The options that can change the value of one of its metrics, and the preset."""
        chosen = {**self.options, **dict(column.asked.options), "like": column.like}
        return {name: chosen[name] for name in ("like", *counting(column.asked.metric, chosen))}


@dataclass(frozen=True)
class Resolved:
    """A metric with all its options, and with the values that these have by the preset or by default alone."""

    asked: Asked
    like: str | None
    chosen: Mapping[str, Value]
    usual: Mapping[str, Value]
    named: bool = True  # the call names it, rather than `all` or nothing
    ks: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """The metric's name with all options that differ from the usual ones."""
        return label(self.asked, self.like, self.chosen, self.usual)

    @property
    def heading(self) -> str:
        """The metric's name as asked for, without its cut-off."""
        return self.asked.said

    @property
    def shared(self) -> dict[str, Value]:
        """The options of its whole pipeline: all except those of the metrics themselves."""
        return {name: value for name, value in self.chosen.items() if not catalog().options[name].is_own}


def plan(metrics: str | Iterable[str] | None, k: Cutoffs, options: Mapping[str, Value], grains: Sequence[str]) -> list[Pipeline]:
    """The pipelines for a call, with the metrics in its order.

    Raises RecsqlError if a cut-off is wrong, and UnknownName with all metrics, options and values that don't exist.
    """
    faults: list[RecsqlError] = []
    given = options_in(options, grains, faults)
    known = {**usual(given.get("like"), grains=grains), **given}
    asked = [
        one
        for text, named in listed(metrics, known, grains)
        if (one := resolved(text, named, k is not None, given, grains, faults))
    ]
    faults += idle_options(given, asked)
    if metrics is not None and not asked and not faults:
        faults.append(RecsqlError(catalog().say("no_metrics")))
    ks = cutoffs(DEFAULT_CUTOFFS if k is None and "rating" not in grains else k, faults)
    asked = [one for each in asked if (one := at_cutoffs(each, ks, faults))]
    if faults:
        raise (UnknownName if all(isinstance(fault, UnknownName) for fault in faults) else RecsqlError)(
            "; ".join(map(str, faults))
        )
    places = {one.heading: place for place, one in reversed(list(enumerate(asked)))}
    by = order_in([given])
    return [pipeline(group, known, places, by) for group in grouped(asked)] or [Pipeline((), known, rank_by=by)]


def options_in(options: Mapping[str, Value], grains: Sequence[str], faults: list[RecsqlError]) -> dict[str, Value]:
    """The options given, in the form that the templates expect; errors are added to `faults`."""
    given: dict[str, Value] = {}
    for name, value in options.items():
        try:
            option = catalog().option(name, grains=grains)
            if option.mapping and isinstance(value, Mapping):
                given[option.name], option = "map", catalog().option(option.mapping)
            if value is not None:
                given[option.name] = checked(option, value)
        except RecsqlError as fault:
            faults.append(fault)
    return given


def idle_options(given: Mapping[str, Value], asked: Sequence[Resolved]) -> list[RecsqlError]:
    """The errors for options of a call that have no effect on any of its metrics."""
    told = [[idle(catalog().options[name], one.chosen) for one in asked] for name in given]
    return [RecsqlError(sentences[0]) for sentences in told if sentences and all(sentences)]


def usual(like: str | None, metric: str = "", grains: Sequence[str] = LISTS) -> dict[str, Value]:
    """The options by a preset and by default; those of one metric if `metric` is given, of splits if the grain is theirs."""
    known: dict[str, Value] = {name: option.default for name, option in catalog().options.items()}
    preset = catalog().presets[like] if like else None
    of_preset = {} if preset is None else preset.split if "interaction" in grains else preset.options_of(metric)
    return known | {"like": like} | dict(of_preset)


def listed(metrics: str | Iterable[str] | None, known: Mapping[str, Value], grains: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The metrics asked for, and whether the call names them. `all` and the defaults are those that the options allow."""
    if metrics is None:
        yield from ((name, False) for name in available(known, grains, usual_alone=True))
        return
    for text in as_list(metrics):
        if isinstance(text, str) and text.strip().lower() == ALL:
            yield from ((name, False) for name in available(known, grains, usual_alone=False))
        else:
            yield text, True


def written_out(metrics: str | Iterable[str] | None, options: Mapping[str, Value], grains: Sequence[str]) -> list[str]:
    """The metrics of a call by name, with `all` and the default metrics written out."""
    given = options_in(options, grains, [])  # `plan` raises what is wrong with them
    return [text for text, _ in listed(metrics, {**usual(given.get("like")), **given}, grains)]


def as_list(metrics: str | Iterable[str]) -> list[str]:
    """One metric or several, as a list; anything else is refused when it is parsed."""
    return [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else list(metrics)


def resolved(
    text: str, named: bool, at_k: bool, given: Mapping[str, Value], grains: Sequence[str], faults: list[RecsqlError]
) -> Resolved | None:
    """One metric with its options. Options in its brackets override those of the call, then come the preset and the defaults.

    Errors are added to `faults`.
    """
    try:
        asked = as_written(text, given.get("like") if named else None, at_k=at_k)
        own = dict(asked.options)
        like = own.pop("like", given.get("like"))
        base = usual(like, asked.metric)
        one = Resolved(asked, like, {**base, **given, "like": like, **own}, base, named)
        fits(asked, grains)
        apply(asked, one.chosen)
        if not faults:  # the missing option may be the one that was refused
            require(one)
            hint(text, one)
    except RecsqlError as fault:
        faults.append(fault)
        return None
    return one


def at_cutoffs(one: Resolved, ks: tuple[int, ...], faults: list[RecsqlError]) -> Resolved | None:
    """The metric at its own cut-offs, or at those of the call.

    If it has no value for the whole list, that cut-off is left out, or is an error if the call names the metric.
    """
    own = (one.asked.k,) if one.asked.k else ks
    needing = needs_cutoff(one) if WHOLE in own else ""
    if needing and one.named:
        faults.append(RecsqlError(catalog().say("whole_list", metric=one.heading, what=needing)))
    kept = tuple(k for k in own if k != WHOLE or not needing)
    return replace(one, ks=kept) if kept or not own else None


def needs_cutoff(one: Resolved) -> str:
    """What has no value for the whole list: the metric, or an option with its value; empty if there is a value."""
    metric = one.asked.metric
    needing = [name for name, values in needing_cutoff(metric).items() if one.chosen[name] in values]
    always = [metric] if always_needs(metric, "cutoff") else []
    return next(iter([*always, *(f"{name} = {one.chosen[name]}" for name in needing)]), "")


def hint(text: str, one: Resolved) -> None:
    """Warns if a metric is named as in another library, but defined otherwise than there."""
    warn_unlike(text, unlike(text, one.asked.metric, one.like, one.chosen, defining(one.asked.metric)))


def hint_at_users(pipelines: Iterable[Pipeline], models: Sequence[Mapping[str, Any]], idle_truth: int | None = None) -> None:
    """Warns of a library that defines a metric of this name alike but counts other users, if the counts show such users.

    `idle_truth` is the number of rows of the truth that are not relevant, or repeated; None if it is not known.
    """
    counts = {"no_recs": "users_without_list", "no_truth": "lists_without_truth"}
    concerned = {name for name, count in counts.items() if any(one[count] for one in models)}
    alike = () if idle_truth else ("zero_below_threshold",)
    for pipeline in pipelines:
        for column in (one for one in pipeline.columns if one.shown):
            given = column.heading, column.asked.metric, column.like, {**pipeline.options, **dict(column.asked.options)}
            if not all(unlike(*given, defining(column.asked.metric)).values()):
                warn_unlike(column.heading, unlike(*given, concerned, alike))


def warn_unlike(text: str, told: Mapping[str, str]) -> None:
    """Warns if a metric differs in each of some libraries that have its name."""
    if told and all(told.values()):
        library = next(iter(told))
        warn(f"{text} is {library}'s name, and its convention differs ({told[library]}): add like={library!r}")


def unlike(
    text: str,
    metric: str,
    like: str | None,
    chosen: Mapping[str, Value],
    counted: Collection[str],
    alike: Sequence[str] = (),
) -> dict[str, str]:
    """The libraries with this name for a metric, and which of some options differ there; none if a preset is chosen.

    The values that are `alike` don't matter.
    """
    libraries = catalog().metrics[metric].libraries(name_in(text)) if like is None else []
    read = [name for name in counting(metric, chosen) if name in counted]
    theirs = {library: usual(library, metric) for library in libraries}
    differing = {one: [name for name in read if its[name] not in (chosen[name], *alike)] for one, its in theirs.items()}
    return {one: ", ".join(f"{name} = {theirs[one][name]}" for name in names) for one, names in differing.items()}


def defining(metric: str) -> set[str]:
    """The options that define a metric, and don't say which users or copies count, or how ties are ordered."""
    known = catalog().options
    return {name for name in own_options(metric) if known[name].topic not in NOT_DEFINING and name != "zero_ideal"}


def grouped(asked: Iterable[Resolved]) -> list[list[Resolved]]:
    """The metrics grouped by the options of a whole pipeline, whatever their preset is called."""
    groups: dict[tuple[tuple[str, Value], ...], list[Resolved]] = {}
    for one in asked:
        key = tuple((name, value) for name, value in one.shared.items() if name != "like")
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def pipeline(group: Sequence[Resolved], known: Mapping[str, Value], places: Mapping[str, int], by: str | None) -> Pipeline:
    """The pipeline for metrics that have the same pipeline options; `by` is the order that the call asks for."""
    options = {**known, **group[0].shared}
    wanted: dict[str, Column] = {}
    for one in group:
        own = {name: one.chosen[name] for name in catalog().options if name in one.chosen and name != "like"}
        differing = tuple((name, value) for name, value in own.items() if value != options[name])
        asked = Asked(one.asked.metric, differing)
        before = wanted.get(one.heading) or Column(
            "", asked, (), heading=one.heading, label=one.label, like=one.like, place=places[one.heading]
        )
        wanted[one.heading] = replace(before, ks=tuple(dict.fromkeys((*before.ks, *one.ks))))
    in_brackets = order_in(dict(one.asked.options) for one in group)
    return Pipeline(columns(wanted.values(), options), options, options == dict(known), in_brackets or by)


def order_in(given: Iterable[Mapping[str, Value]]) -> str | None:
    """The column that the first options with rank_by ask for."""
    return next(("rank" if by == "position" else by for one in given if (by := one.get("rank_by"))), None)


def available(known: Mapping[str, Value], grains: Sequence[str], *, usual_alone: bool) -> list[str]:
    """The metrics of the first grain, all or the default ones, and those of other grains if a table for them is given.

    A comparison has those of its first grain. Metrics that the options rule out are left out.
    """
    tables = {option.home.grain for name, option in catalog().options_of(grains).items() if known[name] == TABLE}
    given = (tables & {*grains}) - {"user"} if "pair" not in grains else set()
    of_grain = catalog().usual_metrics if usual_alone else catalog().metrics_of
    fit = [*of_grain(grains[0]), *(name for grain in sorted(given - {grains[0]}) for name in of_grain(grain))]
    named = [name for name in fit if not catalog().metrics[name].header.get("by_name")]
    return [name for name in named if not any(leaves_out(one) for one in unmet(name, known))]


def fits(asked: Asked, grains: Sequence[str]) -> None:
    """Raises RecsqlError if the call does not compute metrics of this grain, or if the metric can't have a cut-off."""
    grain = catalog().metrics[asked.metric].grain
    if grain not in grains:
        raise RecsqlError(f"{asked.metric} is not available here; {GRAINS[grain].format_map(wording.functions())}")
    if grain == "rating" and asked.k:
        raise RecsqlError(f"{asked}: ratings have no cut-off; write {asked.label}")


def apply(asked: Asked, chosen: Mapping[str, Value]) -> None:
    """Raises RecsqlError if the brackets set an option that the metric does not read, or that has no effect there."""
    for name, _ in asked.options:
        if name not in ("like", *counting(asked.metric, chosen)):
            raise UnknownName(f"{asked}: {asked.metric} does not read {name}; leave it out of the brackets")
        if sentence := idle(catalog().options[name], chosen):
            raise RecsqlError(f"{asked}: {sentence}")


def require(one: Resolved) -> None:
    """Raises RecsqlError if an option that the metric requires is missing."""
    for requirement in unmet(one.asked.metric, one.chosen):
        raise RecsqlError(lacking(requirement, one.asked))


def unmet(metric: str, known: Mapping[str, Value]) -> list[Requirement]:
    """The requirements of a metric that are not met."""
    return [one for one in catalog().metrics[metric].requires if not satisfied(one, known)]


def columns(wanted: Iterable[Column], known: Mapping[str, Value]) -> tuple[Column, ...]:
    """The columns of a pipeline with distinct names, and hidden ones for metrics whose means other means need."""
    found: list[Column] = []
    for column in wanted:
        found.append(replace(column, name=named_apart(column.asked.metric, found)))
    for place, column in enumerate(list(found)):
        option = column.header.get("of_means")
        if option and {**known, **dict(column.asked.options)}[option] == "of_means":
            made_of = [mean_for(column, metric, found) for metric in column.header["means"]]
            found[place] = replace(column, made_of=tuple(mean.name for mean in made_of))
    return tuple(found)


def mean_for(column: Column, metric: str, others: list[Column]) -> Column:
    """The column of `metric` with the bracket options and cut-offs of `column`; a hidden one if none is shown."""
    asked = Asked(metric, tuple((name, value) for name, value in column.asked.options if name in options_of(metric)))
    there = next((other for other in others if other.asked == asked and {*column.ks} <= {*other.ks}), None)
    if there is None:
        there = Column(named_apart(metric, others), asked, column.ks, shown=False, label=asked.label, place=-len(others))
        others.append(there)
    return there


def named_apart(name: str, others: Iterable[Column]) -> str:
    taken = {other.name for other in others}
    return next(free for free in chain([name], (f"{name}_{i}" for i in count(2))) if free not in taken)
