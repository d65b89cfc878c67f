"""What `compare` returns: its rows, how they were tested, and what they show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import copysign, isclose

import pyarrow as pa

from recsql.base.text import on_one_line
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled
from recsql.catalog.slice_names import NONE
from recsql.query.key_columns import SEGMENT
from recsql.query.labels import metric_of
from recsql.query.results import report_of
from recsql.show.output import cell

RANKED = ("wilcoxon", "sign")  # tests that are not about means
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
    def difference_text(self) -> str:
        """The difference with its interval, as in +0.0098 [0.0047, 0.0148]."""
        return "" if self.difference is None else f"{decimals(self.difference, '+')}{interval_text(self.low, self.high)}"

    @property
    def turned(self) -> "Pair":
        """The same comparison with the roles of the two models exchanged; it has no relative difference."""
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
            effect=negative(self.effect),
            relative=None,
            relative_low=None,
            relative_high=None,
        )


FURTHER = (*SEGMENT, "p_method")  # the columns that some results have
COLUMNS = tuple(one.name for one in fields(Pair) if one.name not in FURTHER)


@dataclass(frozen=True)
class Settings:
    """How the rows were tested: the options of `compare`, and its baseline; None if all pairs were compared."""

    interval: float
    test: str
    alternative: str
    correction: str
    family: str
    margin: float
    power: float
    baseline: str | None

    @property
    def level(self) -> float:
        """A smaller adjusted p shows a difference."""
        return round(1 - self.interval, 12)

    @property
    def tells_apart(self) -> bool:
        """Whether the test looks for any difference, in both directions."""
        return self.alternative == "two_sided" and self.margin == 0


@dataclass(frozen=True)
class Compared:
    """The rows of a result; without settings if it has lost its metadata, and then nothing is shown by any row."""

    pairs: Sequence[Pair]
    settings: Settings | None

    @classmethod
    def of(cls, result: pa.Table) -> "Compared":
        columns = [*COLUMNS, *(name for name in FURTHER if name in result.column_names)]
        return cls([Pair(**row) for row in result.select(columns).to_pylist()], settings_of(result))

    @cached_property
    def families(self) -> dict[tuple[str, int | None] | None, int]:
        """The number of tests in each family; 0 if rows of it are missing, so that the number isn't known."""
        of_pairs: dict[tuple[str, int | None] | None, list[Pair]] = {}
        for pair in self.pairs:
            if pair.p is not None:
                of_pairs.setdefault(self.family(pair), []).append(pair)
        return {
            family: len(pairs) if self.settings and is_whole(pairs, self.settings) else 0 for family, pairs in of_pairs.items()
        }

    def family(self, pair: Pair) -> tuple[str, int | None] | None:
        """What the rows that are corrected together have in common."""
        return (pair.metric, pair.k) if self.settings and self.settings.family == "metric" else None

    def towards(self, pair: Pair) -> int:
        """1 if the difference is shown to be above -margin, -1 if it is shown to be below, else 0."""
        if self.settings is None or pair.p_adjusted is None or not pair.p_adjusted < self.settings.level:
            return 0
        return {"greater": 1, "less": -1}.get(self.settings.alternative) or sign((pair.difference or 0.0) + self.settings.margin)

    def shown(self, pair: Pair) -> int:
        """1 if the model is shown to be better than the baseline, -1 if it is shown to be worse, else 0.

        A test that is not about means has to agree with the mean.
        """
        towards = self.towards(pair)
        if not towards or self.settings is None or towards * self.settings.margin > 0:
            return 0
        agree = (
            self.settings.test not in RANKED
            or sign((pair.wins or 0) - (pair.losses or 0)) == sign(pair.difference or 0.0) == towards
        )
        return towards * pair.orientation if agree else 0


def settings_of(result: pa.Table) -> Settings | None:
    """How a result of `compare` was tested, from its metadata; the options of all its queries are the same."""
    report = report_of(result)
    if not report.get("options"):
        return None
    options = report["options"][0] | {"baseline": report["baseline"]}
    return Settings(**{one.name: options[one.name] for one in fields(Settings)} | {"margin": options["margin"] or 0.0})


def is_whole(pairs: Sequence[Pair], settings: Settings) -> bool:
    """Whether the rows are a whole family: the smallest p is adjusted as with so many tests.

    Holm and Bonferroni multiply it by their number. Benjamini and Hochberg take the smallest of p times number / place.
    """
    ps = sorted(pair.p or 0.0 for pair in pairs)
    smallest = min(pair.p_adjusted or 0.0 for pair in pairs)
    places = range(1, len(ps) + 1) if settings.correction == "bh" else [1]
    return isclose(smallest, min(1.0, *(ps[place - 1] * len(ps) / place for place in places)), rel_tol=1e-6)


def by_metric(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """The rows of each metric and cut-off."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.at, []).append(pair)
    yield from found.values()


def sign(number: float) -> int:
    return int(copysign(1, number)) if number else 0


def negative(number: float | None) -> float | None:
    return None if number is None else -number


def decimals(number: float, signed: str = "") -> str:
    """Four decimals, or two digits if those would be zeros; `signed` is + for a sign before positive numbers too."""
    return f"{number:{signed}.2g}" if number and not float(cell(number)) else f"{number + 0.0:{signed}.4f}"


def interval_text(low: float | None, high: float | None) -> str:
    """An interval after a number, as in ` [0.0047, 0.0148]`; empty if it can't be computed."""
    return "" if low is None or high is None else f" [{decimals(low)}, {decimals(high)}]"
