"""What `compare` returns: its rows, and how they were tested."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import pyarrow as pa

from recsql.base.text import on_one_line
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled
from recsql.catalog.slice_names import NONE
from recsql.query.key_columns import SEGMENT
from recsql.query.labels import metric_of
from recsql.query.results import report_of
from recsql.show.output import cell

BETTER = {"higher": 1, "lower": -1, "neither": 0}  # the values of the key `better` in the headers of metrics


@dataclass(frozen=True)
class Pair:
    """One row of `compare`: a metric of two models; `difference` is that of the model less that of the baseline.

    A metric that is not a mean over users has no wins, ties and losses.
    """

    model: str
    baseline: str
    metric: str
    k: int | None
    users: int
    unpaired: int | None
    value: float | None
    baseline_value: float | None
    difference: float | None
    low: float | None
    high: float | None
    std_error: float | None
    p: float | None
    p_adjusted: float | None
    tests: int | None
    verdict: str
    wins: int | None
    ties: int | None
    losses: int | None
    effect: float | None
    detectable: float | None
    relative: float | None
    relative_low: float | None
    relative_high: float | None
    few: bool
    definition: str
    slice: str | None = None  # NULL for all users
    segment: str | None = None
    p_method: str | None = None  # how p was found, of a test that has several ways

    @property
    def on(self) -> str:
        """The metric with its cut-off and the segment of the users, as in `ndcg@10 in country = DE`."""
        if self.slice is None:
            return self.at
        return on_one_line(f"{self.at} in {self.slice} = {NONE if self.segment is None else self.segment}")

    @property
    def differing(self) -> int | None:
        """The number of users with a difference."""
        return None if self.wins is None or self.losses is None else self.wins + self.losses

    @property
    def doubtful(self) -> bool:
        """Whether there are so few users that the interval may be too narrow; without a difference there is none."""
        return self.few and self.differing != 0

    @property
    def at(self) -> str:
        """The metric with its cut-off, as in ndcg@10."""
        return labelled(self.metric, self.k)

    @property
    def orientation(self) -> int:
        """1 if higher values of the metric are better, -1 if lower ones are, 0 if neither are."""
        return BETTER[catalog().metrics[metric_of(self.definition)].header.get("better", "higher")]

    @property
    def is_shown(self) -> bool:
        """Whether the test found what it looks for."""
        return self.verdict == "differs" or self.towards != 0

    @property
    def towards(self) -> int:
        """1 if the difference is shown to be above -margin, -1 if it is shown to be below, else 0."""
        return {"higher": 1, "not_lower": 1, "lower": -1, "not_higher": -1}.get(self.verdict, 0)

    @property
    def shown(self) -> int:
        """1 if the model is shown to be better than the baseline, -1 if it is shown to be worse, else 0."""
        return {"higher": 1, "lower": -1}.get(self.verdict, 0) * self.orientation

    @property
    def difference_text(self) -> str:
        """The difference with its interval, as in +0.0098 [0.0047, 0.0148]."""
        if self.difference is None:
            return ""
        interval = "" if self.low is None or self.high is None else f" [{decimals(self.low)}, {decimals(self.high)}]"
        return f"{decimals(self.difference, '+')}{interval}"

    @property
    def turned(self) -> "Pair":
        """The values and the difference as seen from the other model; the verdict remains that of the row."""
        return replace(
            self,
            model=self.baseline,
            baseline=self.model,
            value=self.baseline_value,
            baseline_value=self.value,
            difference=negative(self.difference),
            low=negative(self.high),
            high=negative(self.low),
            wins=self.losses,
            losses=self.wins,
        )


FURTHER = (*SEGMENT, "p_method")  # the columns that some results have
COLUMNS = tuple(one.name for one in fields(Pair) if one.name not in FURTHER)


@dataclass(frozen=True)
class Settings:
    """The options of `compare`, and its baseline; None if all pairs were compared."""

    interval: float
    test: str
    alternative: str
    correction: str
    margin: float
    power: float
    baseline: str | None


def pairs_of(result: pa.Table) -> list[Pair]:
    columns = [*COLUMNS, *(name for name in FURTHER if name in result.column_names)]
    return [Pair(**row) for row in result.select(columns).to_pylist()]


def settings_of(result: pa.Table) -> Settings | None:
    """How a result was tested; None if it has lost its metadata. The options of all its queries are the same."""
    report = report_of(result)
    if not report.get("options"):
        return None
    options = {**report["options"][0], "baseline": report["baseline"]}
    return Settings(**{one.name: options[one.name] for one in fields(Settings)} | {"margin": options["margin"] or 0.0})


def by_metric(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The rows of each metric and cut-off."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.at, []).append(pair)
    return list(found.values())


def negative(number: float | None) -> float | None:
    return None if number is None else -number


def decimals(number: float, signed: str = "") -> str:
    """Four decimals, or two digits if those would be zeros; `signed` is + for a sign before positive numbers too."""
    return f"{number:{signed}.2g}" if number and not float(cell(number)) else f"{number + 0.0:{signed}.4f}"
