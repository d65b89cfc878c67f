"""What a call asks for, checked: the metrics, their cut-offs and options, as one or more pipelines to run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recsql.catalog import Asked, Value, catalog, cutoff
from recsql.errors import RecsqlError, UnknownName
from recsql.render import Column


@dataclass(frozen=True)
class Pipeline:
    """Metrics that one scan computes: they agree on every option but those of the metrics themselves."""

    columns: tuple[Column, ...]
    options: Mapping[str, Value]

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(sorted({k for column in self.columns for k in column.ks}))


def plan(metrics: str | Iterable[str] | None, k: int | Sequence[int], options: Mapping[str, Value]) -> list[Pipeline]:
    """The pipelines for what was asked, in its order.

    Raises RecsqlError for a wrong cut-off, and UnknownName naming all metrics, options and values that don't exist.
    """
    known, asked, faults = checked(metrics, options)
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
    return [Pipeline(columns(group, known | dict(shared)), known | dict(shared)) for shared, group in wanted.items()]


def checked(
    metrics: str | Iterable[str] | None, options: Mapping[str, Value]
) -> tuple[dict[str, Value], list[Asked], list[RecsqlError]]:
    """Options with their defaults filled in, the metrics parsed, and all that was wrong with either."""
    known = {name: option.default for name, option in catalog().options.items()}
    faults: list[RecsqlError] = []
    for name, value in options.items():
        try:
            option = catalog().option(name)
            if option.mapping and isinstance(value, Mapping):
                known[option.name], option = "map", catalog().option(option.mapping)
            known[option.name] = option.check(value)
        except RecsqlError as fault:
            faults.append(fault)
    asked: list[Asked] = []
    for text in all_metrics(known) if metrics is None else [metrics] if isinstance(metrics, str) else metrics:
        try:
            asked.append(catalog().parse(text))
            require(asked[-1], known)
        except RecsqlError as fault:
            faults.append(fault)
    if not asked and not faults:
        faults.append(RecsqlError("metrics: none was asked for; leave it out for all of them"))
    return known, asked, faults


def all_metrics(known: Mapping[str, Value]) -> list[str]:
    """Every metric that can be had without an option that wasn't given."""
    required = {name: source.header.get("requires") for name, source in catalog().metrics.items()}
    return [name for name, option in required.items() if option is None or known.get(option) is not None]


def require(asked: Asked, known: Mapping[str, Value]) -> None:
    """Raises RecsqlError where a metric lacks the option that it can't do without."""
    option = catalog().metrics[asked.metric].header.get("requires")
    if option and {**known, **dict(asked.options)}.get(option) is None:
        raise RecsqlError(f"{asked.metric} needs the option {option}: {catalog().options[option].about}")


def cutoffs(k: int | Sequence[int], faults: list[RecsqlError]) -> tuple[int, ...]:
    """The cut-offs in `k`; what is wrong with them goes into `faults`."""
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
