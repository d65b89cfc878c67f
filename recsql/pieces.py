"""What a query lists for its steps: checks, statistics and joins, each rendered when a step reads it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from recsql.catalog import catalog
from recsql.headers import Source
from recsql.symbols import Truth


@dataclass
class Check:
    """A check on the input: whether it runs, the place of its sentence among those of others, and its query."""

    source: Source
    runs: Truth
    render: Callable[[], str]

    @property
    def place(self) -> int:
        return int(self.source.header["place"])

    @property
    def text(self) -> str:
        return self.render()


@dataclass
class Part:
    """A statistic, or a join that statistics need: whether the query needs it, its own text, and as a column of at_k."""

    name: str
    needed: Truth
    render: Callable[[], str]
    read: Callable[[], str] = str

    @property
    def text(self) -> str:
        return self.render()

    @property
    def column(self) -> str:
        text = self.read()
        return text if text.endswith(f".{self.name}") else f"{text} as {self.name}"

    @property
    def units(self) -> bool:
        """Whether a part has the statistic in units of 1e-18; else it is a count."""
        return "units" in catalog().statistics[self.name].header


class Lazy:
    """A list for templates that is made when it is read, as few queries read it."""

    def __init__(self, make: Callable[[], list[Any]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Any]:
        return iter(self._make())


def kinds() -> set[str]:
    return {source.header["over"] for source in catalog().statistics.values()}


def readers() -> set[str]:
    """The steps that read sums of statistics."""
    return {step.header["sums"]["reader"] for step in catalog().sums.values()}
