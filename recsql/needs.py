"""What the metrics and the options of a query need, by name. What follows from the graph of needs is worked out here."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from recsql.catalog import catalog
from recsql.headers import Need, Source
from recsql.symbols import Several, Truth, among, any_of, both, either
from recsql.templates import conditions_of, reads, values

ALWAYS = ("steps", "expressions")  # the folders of files whose options apply to every metric


class Needing(Protocol):
    """A metric as asked for."""

    metric: Any  # its name

    @property
    def metrics(self) -> Sequence[str]:
        """The names that it can have."""

    @property
    def context(self) -> Mapping[str, Any]:
        """The options that it is computed under."""


class Needs:
    """The needs of a query. An attribute is true, false or a symbol: `needs.ideals`."""

    def __init__(self, columns: Sequence[Needing] | Several, options: Mapping[str, Any], further: Collection[str] = ()) -> None:
        self._columns, self._options, self._further = columns, options, further
        self._found: dict[str, Truth] = {}

    def __getattr__(self, name: str) -> Truth:
        if name not in needed_by():
            raise AttributeError(f"needs.{name}: there is no such statistic, step of sums or name in needs.toml")
        if name not in self._found:
            self._found[name] = self._of(name)
        return self._found[name]

    def _of(self, name: str) -> Truth:
        found: Truth = name in self._further or any_column(self._columns, lambda column: needs_of(column, name))
        for source, place in needed_by()[name]:
            if found is True:
                break
            if source.folder == "statistics":
                found = either(found, lambda s=source, p=place: both(getattr(self, s.name), lambda: holds(s, p, self._options)))  # type: ignore[misc]
            elif source.folder in ALWAYS:
                found = either(found, lambda s=source, p=place: holds(s, p, self._options))  # type: ignore[misc]
        return found


def any_column(columns: Sequence[Any] | Several, test: Any) -> Truth:
    """Whether a condition holds for a metric of the query."""
    return columns.any(test) if isinstance(columns, Several) else any_of(*map(test, columns))


def holds(source: Source, place: int | None, context: Mapping[str, Any]) -> Truth:
    """Whether the condition of a need holds."""
    name = f"need_{place}"
    return values(f"headers/{source.path}", context)[name] if place is not None and name in conditions_of(source) else True


@cache
def needed_by() -> dict[str, list[tuple[Source, int | None]]]:
    """For every name that can be needed, the files that need it, each with the place in its header."""
    found: dict[str, list[tuple[Source, int | None]]] = {name: [] for name in (*catalog().needs, *catalog().statistics)}
    for step in catalog().sums.values():
        found[step.name] = []
    for source in catalog().sources.values():
        for place, need in enumerate(source.needs if source.folder != "lists" else ()):
            if need.name in found:
                found[need.name].append((source, place))
    for statistic in catalog().statistics.values():
        if statistic.header["over"] in catalog().sums:
            found[catalog().sums[statistic.header["over"]].name].append((statistic, None))
    return found


@cache
def metrics_needing(name: str) -> list[tuple[str, Source, int]]:
    """The metrics that name something in their headers: the metric, the file that names it, and the place there.

    The file differs from the metric's own if that is computed from other metrics.
    """
    return [
        (metric, source, place)
        for metric in catalog().metrics
        for source in made_from(metric)
        for place, need in enumerate(source.needs)
        if need.name == name
    ]


@cache
def made_from(metric: str) -> list[Source]:
    """The metric and those that it is computed from."""
    source = catalog().metrics[metric]
    return [
        source,
        *(
            one
            for need in source.needs
            if need.name not in catalog().statistics and need.name in catalog().metrics
            for one in made_from(need.name)
        ),
    ]


def needs_of(column: Needing, name: str) -> Truth:
    """Whether one metric of a query names something that it needs."""
    metrics = column.metrics
    naming = [one for one in metrics_needing(name) if one[0] in metrics]
    if not naming:
        return False
    found: list[Truth] = []
    always = [metric for metric, source, place in naming if not source.needs[place].condition]
    if always:
        found.append(column.metric == always[0] if len(always) == 1 else among(column.metric, always))
    for metric, source, place in naming:
        if metric not in always:
            found.append(both(column.metric == metric, lambda s=source, p=place: holds(s, p, column.context)))  # type: ignore[misc]
    return any_of(*found)


# -- what a metric needs and reads under any options


@cache
def sources_of(metric: str) -> list[Source]:
    """The files that a metric is made from: its own, those of other metrics, and their statistics."""
    found: list[Source] = []

    def add(source: Source) -> None:
        if source not in found:
            found.append(source)
            for need in source.needs:
                if need.name in catalog().statistics:
                    add(catalog().statistics[need.name])

    for source in made_from(metric):
        add(source)
    return found


@cache
def own_options(metric: str) -> frozenset[str]:
    """The options that a metric and its statistics read, directly or in an earlier step, and those that it requires."""
    read = frozenset[str]().union(*(reads(source.path) for source in sources_of(metric)))
    made_with = {source.header.get("made_with") for source in sources_of(metric)}
    before = {name for name, option in catalog().options.items() if option.home.name in made_with}
    declared = {name for source in made_from(metric) for name in source.header.get("options", {})}
    required = {name for requirement in catalog().metrics[metric].requires for name in requirement.one_of}
    return frozenset(read & catalog().options.keys() | declared | before | required)


@cache
def needing_cutoff(metric: str) -> dict[str, tuple[str, ...]]:
    """The options that a metric reads, with the values under which it has no value for the whole list."""
    found: dict[str, tuple[str, ...]] = {}
    usual = {name: option.default for name, option in catalog().options.items()}
    for source in sources_of(metric):
        for place, need in enumerate(source.needs):
            for name in conditional(need) if need.name == "cutoff" else ():
                choices = catalog().options[name].choices
                found[name] = tuple(value for value in choices if holds(source, place, {**usual, name: value}))
    return found


def conditional(need: Need) -> Iterator[str]:
    """The options in the condition of a need."""
    words = re.findall(r"\w+", need.condition)
    yield from (name for name in dict.fromkeys(words) if name in catalog().options)


def always_needs(metric: str, name: str) -> bool:
    """Whether a metric needs something under all options."""
    return any(need.name == name and not need.condition for source in made_from(metric) for need in source.needs)
