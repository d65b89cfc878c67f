"""What a call asks for, checked: the metrics, their cut-offs and options, as one or more pipelines to run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recsql.catalog import GRAINS, TABLE, Asked, Preset, Requirement, Value, catalog, cutoff
from recsql.errors import RecsqlError, UnknownName
from recsql.options import Options
from recsql.render import Column


@dataclass(frozen=True)
class Pipeline:
    """Metrics that one scan computes: they agree on every option but those of the metrics themselves."""

    columns: tuple[Column, ...]
    options: Mapping[str, Value]

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(sorted({k for column in self.columns for k in column.ks}))


def plan(
    metrics: str | Iterable[str] | None, k: int | Sequence[int] | None, options: Mapping[str, Value], grains: Sequence[str]
) -> list[Pipeline]:
    """The pipelines for what was asked, in its order, of metrics and options of some grains.

    Raises RecsqlError for a wrong cut-off, and UnknownName naming all metrics, options and values that don't exist.
    """
    known, asked, faults = checked(metrics, dict(options), grains)
    ks = cutoffs(k, faults)
    if faults:
        raise (UnknownName if all(isinstance(fault, UnknownName) for fault in faults) else RecsqlError)(
            "; ".join(map(str, faults))
        )
    wanted: dict[tuple[tuple[str, Value], ...], dict[Asked, tuple[int, ...]]] = {}
    for one in asked:
        shared = tuple((name, value) for name, value in one.options if catalog().options[name].home.folder != "metrics")
        group = wanted.setdefault(shared, {})
        bare = Asked(one.metric, one.options)
        group[bare] = tuple(dict.fromkeys((*group.get(bare, ()), *((one.k,) if one.k else ks))))
    pipelines = [Pipeline(columns(group, known | dict(shared)), known | dict(shared)) for shared, group in wanted.items()]
    return pipelines or [Pipeline((), known)]


def checked(
    metrics: str | Iterable[str] | None, options: dict[str, Value], grains: Sequence[str]
) -> tuple[dict[str, Value], list[Asked], list[RecsqlError]]:
    """Options with those of the preset and the defaults filled in, the metrics parsed, and all that was wrong with either."""
    known = {"metrics": None} | {name: option.default for name, option in catalog().options_of(grains).items()}
    faults: list[RecsqlError] = []
    preset = like(options.pop("like", None), faults)
    known |= {name: value for name, value in preset.options.items() if name in known}
    for name, value in options.items():
        try:
            option = catalog().option(name, grains=grains)
            if option.mapping and isinstance(value, Mapping):
                known[option.name], option = "map", catalog().option(option.mapping)
            known[option.name] = option.check(value)
        except RecsqlError as fault:
            faults.append(fault)
    asked: list[Asked] = []
    for text in by_default(known, grains) if metrics is None else [metrics] if isinstance(metrics, str) else metrics:
        try:
            asked.append(under(preset, catalog().as_written(text), options, known))
            fits(asked[-1], grains)
            require(asked[-1], known)
        except RecsqlError as fault:
            faults.append(fault)
    if metrics is not None and not asked and not faults:
        faults.append(RecsqlError("metrics: none was asked for; leave it out for all of them"))
    return known, asked, faults


def like(name: str | None, faults: list[RecsqlError]) -> Preset:
    """The preset of that name, an empty one without; what is wrong with the name goes into `faults`."""
    try:
        if name is not None:
            return catalog().preset(name)
    except RecsqlError as fault:
        faults.append(fault)
    return Preset("", "", "", "")


def under(preset: Preset, asked: Asked, explicit: Mapping[str, Value], known: Mapping[str, Value]) -> Asked:
    """A metric with the options that it has otherwise than the call: in its brackets, or by the preset for it alone."""
    own = {name: value for name, value in preset.metrics.get(asked.metric, {}).items() if name not in explicit}
    chosen = {**own, **dict(asked.options)}
    kept = [name for name in catalog().options if name in chosen and chosen[name] != known.get(name)]
    return replace(asked, options=tuple((name, chosen[name]) for name in kept))


def by_default(known: Mapping[str, Value], grains: Sequence[str]) -> list[str]:
    """Every metric of the first grain, and of the others where a table was given for it, as far as the options allow."""
    given = {option.home.grain for name, option in catalog().options_of(grains).items() if known[name] == TABLE}
    fit = [name for name, source in catalog().metrics.items() if source.grain == grains[0] or source.grain in given - {"user"}]
    return [name for name in fit if not any(one.is_usual for one in lacking(Asked(name), known))]


def fits(asked: Asked, grains: Sequence[str]) -> None:
    """Raises RecsqlError where a metric is of another grain than the call, or has a cut-off that it can't have."""
    grain = catalog().metrics[asked.metric].grain
    if grain not in grains:
        raise RecsqlError(f"{asked.metric} can't be had here; {GRAINS[grain]}")
    if grain == "rating" and asked.k:
        raise RecsqlError(f"{asked}: ratings have no cut-off; write {asked.label}")


def require(asked: Asked, known: Mapping[str, Value]) -> None:
    """Raises RecsqlError where a metric lacks an option that it can't do without."""
    for requirement in lacking(asked, known):
        raise RecsqlError(requirement.message(asked))


def lacking(asked: Asked, known: Mapping[str, Value]) -> list[Requirement]:
    """What a metric requires and wasn't given."""
    options = Options({**known, **dict(asked.options)})
    return [one for one in catalog().metrics[asked.metric].requires if not options.satisfied(one).certain]


def cutoffs(k: int | Sequence[int] | None, faults: list[RecsqlError]) -> tuple[int, ...]:
    """The cut-offs in `k`, none for metrics without; what is wrong with them goes into `faults`."""
    if k is None:
        return ()
    given = list(k) if isinstance(k, Iterable) and not isinstance(k, str) else [k]
    if not given:
        faults.append(RecsqlError("k: there is no cut-off in it; give one or more, such as 10 or [5, 10]"))
    ks: list[int] = []
    for one in given:
        try:
            ks.append(cutoff(one))
        except RecsqlError as fault:
            faults.append(fault)
    return tuple(dict.fromkeys(ks))


def columns(group: Mapping[Asked, tuple[int, ...]], known: Mapping[str, Value]) -> tuple[Column, ...]:
    """A column for each metric of a pipeline, named apart, and hidden ones for the metrics whose means others are made of."""
    found: list[Column] = []
    for asked, ks in group.items():
        found.append(Column(named_apart(asked.metric, found), asked, ks))
    for column in list(found):
        option = column.header.get("of_means")
        if option and {**known, **dict(column.asked.options)}[option] == "of_means":
            for name in column.header["means"]:
                if Asked(name) not in [other.asked for other in found]:
                    found.append(Column(named_apart(name, found), Asked(name), column.ks, shown=False))
    return tuple(found)


def named_apart(name: str, others: Iterable[Column]) -> str:
    taken = {other.name for other in others}
    return next(name for name in (name, *(f"{name}_{i}" for i in range(2, 1000))) if name not in taken)
