"""The result of `compare` for people: its rows, the best models, and tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache, cached_property
from itertools import count, product
from math import inf, isclose
from string import ascii_lowercase
from typing import Any

import pyarrow as pa

from recsql.base.text import on_one_line
from recsql.base.wording import said
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled, name_in
from recsql.display.output import TEX, TO_THE_RIGHT, cell, tabular
from recsql.display.pivoted import orientation_of, segment_of
from recsql.query.metric import Metric
from recsql.query.plan import usual
from recsql.query.results import metadata_of

BEST, POSSIBLY, UNTESTED = "yes", "possibly", "-"  # the words of the column `best`
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
SMALLEST = 0.0001  # a smaller p is shown as < 0.0001
NUMBERS = {  # the columns of numbers in tables for people
    **dict.fromkeys(("value", "share", "contribution", "excess"), pa.float64()),
    **dict.fromkeys(("users", "wins", "ties", "losses"), pa.int64()),
}


@dataclass(frozen=True)
class Pair:
    """One row of `compare`: a metric of two models; `difference` is the model's value less that of the baseline.

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
    share: float | None = None
    p_method: str | None = None  # how p was found, if the test has several ways
    preference: float | None = None  # with the test sign: (wins + ties / 2) / users - 1 / 2
    contribution: float | None = None
    excess: float | None = None
    outcome: str | None = None  # what the row shows to a gate
    datasets: int | None = None  # of whose means it is the difference

    @property
    def on(self) -> str:
        """The metric with its cut-off and the segment of the users, as in `ndcg@10 in country = DE`."""
        in_segment = f"{self.at} in {self.slice} = {segment_of(self.slice, self.segment)}"
        return self.at if self.slice is None else on_one_line(in_segment)

    @property
    def doubtful(self) -> bool:
        """Whether the interval may be too narrow because users are few; false without a difference or an interval."""
        return self.few and (self.wins, self.losses) != (0, 0) and self.low is not None

    @property
    def at(self) -> str:
        """The metric with its cut-off, as in ndcg@10."""
        return labelled(self.metric, self.k)

    @property
    def orientation(self) -> int:
        """1 if higher values of the metric are better, -1 if lower ones are, 0 if neither."""
        return orientation_of(self.definition)

    @property
    def is_shown(self) -> bool:
        """Whether the test found what it looks for."""
        return self.verdict == "differs" or self.towards != 0

    @property
    def towards(self) -> int:
        """1 if the test shows a difference above -margin, -1 if it shows one below, else 0."""
        return {"higher": 1, "not_lower": 1, "lower": -1, "not_higher": -1}.get(self.verdict, 0)

    @property
    def winner(self) -> str | None:
        """The model that is shown to be better; None if neither is."""
        higher = {"higher": 1, "lower": -1}.get(self.verdict, 0)
        return {1: self.model, -1: self.baseline}.get(higher * self.orientation)

    @property
    def difference_text(self) -> str:
        """The difference with its interval, as in +0.0098 [0.0047, 0.0148]."""
        if self.difference is None:
            return ""
        interval = "" if self.low is None or self.high is None else f" [{decimals(self.low)}, {decimals(self.high)}]"
        return f"{decimals(self.difference, '+')}{interval}"

    @property
    def found(self) -> dict[str, object]:
        """The columns of the comparison for people: segment, difference, p and winner."""
        p = f"<{SMALLEST}" if self.p_adjusted is not None and self.p_adjusted < SMALLEST else cell(self.p_adjusted)
        preferred = "" if self.preference is None else decimals(self.preference, "+")
        texts = {"preference": preferred, "slice": self.slice or "", "segment": segment_of(self.slice, self.segment), "p": p}
        users = {name: getattr(self, name) for name in ("wins", "ties", "losses")}
        return {"metric": self.at, "difference": f"{self.difference_text}{'*' * self.doubtful}"} | texts | users

    @property
    def turned(self) -> "Pair":
        """The comparison from the other model's side; the verdict stays that of the row."""
        difference, low, high = (None if number is None else -number for number in (self.difference, self.high, self.low))
        seen = replace(self, model=self.baseline, value=self.baseline_value, baseline=self.model, baseline_value=self.value)
        turned = replace(seen, difference=difference, low=low, high=high, wins=self.losses, losses=self.wins)
        return replace(turned, preference=None if self.preference is None else -self.preference)


COLUMNS = tuple(one.name for one in fields(Pair) if one.default is MISSING)  # the columns of every result


@dataclass(frozen=True)
class Settings:
    """The options of `compare` with its baseline, which is None if all pairs were compared."""

    interval: float
    test: str
    alternative: str
    correction: str
    margin: float
    power: float
    vary: str
    baseline: str | None
    looks: str = "one"  # results of older versions have no looks
    planned_users: int = 1000


@cache
def widest_of(definition: str) -> float:
    """The largest possible difference between two values of a metric."""
    metric, printed = name_in(definition), dict(re.findall(r"(\w+)=([^,)]*)", definition))
    inside = {name: option.inside(metric) for name, option in catalog().options.items()}
    options = usual(printed.get("like"), metric) | {name: printed[one] for name, one in inside.items() if one in printed}
    measured = Metric(metric, options, of_query=options)
    return 1.0 if measured.bounded and measured.within_bounds else inf


def pairs_of(result: pa.Table) -> list[Pair]:
    known = result.select([one.name for one in fields(Pair) if one.name in result.column_names])
    return [Pair(**row) for row in known.to_pylist()]


def settings_of(result: pa.Table) -> Settings | None:
    """The options of a result's tests, which all its queries share; None if it has lost its metadata."""
    metadata = metadata_of(result)
    if not metadata.get("options"):
        return None
    return settings_from({**metadata["options"][0], "baseline": metadata["baseline"]})


def settings_from(options: Mapping[str, Any]) -> Settings:
    """The settings among some options."""
    known = {one.name: options[one.name] for one in fields(Settings) if one.name in options}
    return Settings(**known | {"margin": options["margin"] or 0.0})


def decimals(number: float, signed: str = "") -> str:
    """A number with four decimals, or with two digits if these are zeros; with `signed` = +, positive ones have a sign."""
    return f"{number:{signed}.2g}" if number and not float(cell(number)) else f"{number + 0.0:{signed}.4f}"


# -- the models at one metric


@dataclass(frozen=True)
class Standing:
    """The models at one metric and cut-off: their values, and which are the best."""

    settings: Settings | None
    pairs: Sequence[Pair]

    @cached_property
    def values(self) -> dict[str, float | None]:
        """The value of each model, the baseline first; empty if the means of one model are over different users."""
        found: dict[str, list[float | None]] = {}
        for pair in self.pairs:
            found.setdefault(pair.model, []).append(pair.value)
            found.setdefault(pair.baseline, []).append(pair.baseline_value)
        for values in found.values():
            known = [value for value in values if value is not None]
            # They may differ between pairs by rounding.
            same = not known or isclose(min(known), max(known), rel_tol=1e-9, abs_tol=1e-12)
            if not same or len(known) not in (0, len(values)):
                return {}
        first = self.settings.baseline if self.settings else None
        return {model: found[model][0] for model in sorted(found, key=lambda one: one != first)}

    @cached_property
    def by_models(self) -> dict[frozenset[str], Pair]:
        """The comparisons, by their two models."""
        return {frozenset((pair.model, pair.baseline)): pair for pair in self.pairs}

    @cached_property
    def best(self) -> list[str]:
        """The models with the best value; empty if neither high nor low values are better."""
        known = {model: value * self.pairs[0].orientation for model, value in self.values.items() if value is not None}
        return [model for model, value in known.items() if self.pairs[0].orientation and value == max(known.values())]

    def place(self, model: str) -> str:
        """Whether a model is the best, or possibly the best: the test shows no difference from a best one."""
        if model in self.best:
            return BEST
        if not self.best or self.settings is None or self.settings.alternative != "two_sided":
            return ""
        tested = [self.by_models[pair] for best in self.best if (pair := frozenset((model, best))) in self.by_models]
        if any(pair.winner for pair in tested):
            return ""
        return POSSIBLY if tested and all(pair.verdict != "untested" for pair in tested) else UNTESTED

    def latex_value(self, model: str, letters: Mapping[str, str]) -> str:
        """A model's value in LaTeX: bold if it is the best, with the letters of the models that it is better than."""
        if self.values.get(model) is None:
            return ""
        value = cell(self.values[model])
        worse = [
            letters[one] for one in letters if (pair := self.by_models.get(frozenset((model, one)))) and pair.winner == model
        ]
        separator = "," if any(len(letter) > 1 for letter in worse) else ""
        above = f"$^{{{separator.join(worse)}}}$" if worse else ""
        return (rf"\textbf{{{value}}}" if model in self.best else value) + above

    def lines(self, reference: str | None) -> Iterator[tuple[str, float | None, Pair | None]]:
        """Each model with its value and its comparison with `reference`; without one, each pair by itself."""
        if reference is not None:
            for model, value in self.values.items():
                pair = self.by_models.get(frozenset((model, reference)))
                yield model, value, pair if pair is None or pair.model == model else pair.turned
            return
        before = None
        for pair in self.pairs:
            if before != (before := (pair.baseline, pair.baseline_value)):
                yield *before, None
            yield pair.model, pair.value, pair


def standings_of(result: pa.Table) -> list[Standing]:
    """The rows of each metric and cut-off."""
    settings = settings_of(result)
    found: dict[str, list[Pair]] = {}
    for pair in pairs_of(result):
        found.setdefault(pair.at, []).append(pair)
    return [Standing(settings, pairs) for pairs in found.values()]


# -- tables for people


def table(result: pa.Table) -> pa.Table:
    """One row per metric and model: the value, whether it is the best, and the difference from the baseline.

    Without a baseline, it is the difference from the best model. If no model is known to be the best, or if a model has several
    values because its pairs have different users, there is a row per pair. A result with slices has a row per metric, pair of
    models and segment.
    """
    standings, settings = standings_of(result), settings_of(result)
    baseline, correction = (settings.baseline, CORRECTIONS.get(settings.correction)) if settings else (None, None)
    source = f" from {baseline}" if baseline else ""
    if "slice" in result.column_names:
        rows = [vars(pair) | pair.found for standing in standings for pair in standing.pairs]
        before = ["model", *([] if baseline else ["baseline"]), "slice", "segment", "users", "share"]
    else:
        from_best = bool(standings) and all(one.best for one in standings)
        alike = all(one.values for one in standings)
        references = [(baseline or (one.best[0] if from_best else None)) if alike else None for one in standings]
        rows = [
            {"metric": one.pairs[0].at, "model": model, "value": value, "best": one.place(model)} | (pair.found if pair else {})
            for one, reference in zip(standings, references, strict=True)
            for model, value, pair in one.lines(reference)
        ]
        before = ["model", "value", *(["best"] if any(row["best"] for row in rows) else [])]
        source = source or (" from the best" if from_best else "")
    further = [name for name in ("preference", "contribution", "excess") if name in result.column_names]
    headings = {"users": said("users"), "difference": f"difference{source}", "p": f"p ({correction})" if correction else "p"}
    names = ["metric", *before, "difference", "p", "wins", "ties", "losses", *further]
    schema = pa.schema(
        pa.field(headings.get(name, name), NUMBERS.get(name, pa.string()), metadata=TO_THE_RIGHT if name == "p" else None)
        for name in names
    )
    return pa.table([[row.get(name) for row in rows] for name in names], schema)


def latex(result: pa.Table) -> str:
    """A booktabs tabular with a row per model and a column per metric: the best value in bold.

    A superscript has the letters of the models that this one is shown to be better than, as in ranx (Bassani 2022): a to z, then
    aa, ab and so on. Empty if a model has several values of a metric, because its pairs have different users.
    """
    standings = standings_of(result)
    if not all(one.values for one in standings):
        return ""
    lettering = ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
    letters = dict(zip(dict.fromkeys(model for one in standings for model in one.values), lettering, strict=False))
    rows = [
        [letter, on_one_line(model).translate(TEX), *(one.latex_value(model, letters) for one in standings)]
        for model, letter in letters.items()
    ]
    return tabular("ll" + "l" * len(standings), ["", "model", *(one.pairs[0].at.translate(TEX) for one in standings)], rows)
