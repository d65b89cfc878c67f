"""The tables of a comparison: a row per metric and model for people, and a row per model with letters for LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from math import isclose
from string import ascii_lowercase

import pyarrow as pa

from recsql.base.text import on_one_line
from recsql.show.comparison import Pair, Settings, by_metric, pairs_of, settings_of
from recsql.show.output import TO_THE_RIGHT, cell, tabular, tex
from recsql.show.pivoted import segment_of

BEST, POSSIBLY, UNTESTED = "yes", "possibly", "-"  # the words of the column `best`
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
FURTHER = ("contribution", "excess")  # the columns that contributions add to the table
SMALLEST = 0.0001  # a smaller p is not written out in the table
Shown = tuple[pa.Field, Sequence[object]]  # a column of a table for people
Line = tuple[str, float | None, Pair | None]  # a model, its value, and its comparison with the reference


@dataclass(frozen=True)
class Standing:
    """The models at one metric and cut-off: their values, and which are the best."""

    settings: Settings | None
    pairs: Sequence[Pair]

    @cached_property
    def values(self) -> dict[str, float | None]:
        """The value of each model, the baseline first; empty if values of one model are means over different users.

        The same mean may be computed for each pair, so that values differ by rounding.
        """
        found: dict[str, list[float | None]] = {}
        for pair in self.pairs:
            found.setdefault(pair.model, []).append(pair.value)
            found.setdefault(pair.baseline, []).append(pair.baseline_value)
        for values in found.values():
            known = [value for value in values if value is not None]
            same = not known or isclose(min(known), max(known), rel_tol=1e-9, abs_tol=1e-12)
            if not same or len(known) not in (0, len(values)):
                return {}
        first = self.settings.baseline if self.settings else None
        return {model: found[model][0] for model in sorted(found, key=lambda one: one != first)}

    @cached_property
    def made(self) -> dict[frozenset[str], Pair]:
        """The comparisons by their two models."""
        return {frozenset((pair.model, pair.baseline)): pair for pair in self.pairs}

    @cached_property
    def best(self) -> list[str]:
        """The models with the best value; none if neither high nor low values are better."""
        known = {model: value * self.pairs[0].orientation for model, value in self.values.items() if value is not None}
        return [model for model, value in known.items() if self.pairs[0].orientation and value == max(known.values())]

    def place(self, model: str) -> str:
        """Whether a model is the best one, or could be: no difference from a best one was found."""
        if model in self.best:
            return BEST
        if not self.best or self.settings is None or self.settings.alternative != "two_sided":
            return ""
        tested = [self.made[pair] for best in self.best if (pair := frozenset((model, best))) in self.made]
        if not tested:
            return UNTESTED
        return "" if any(pair.shown for pair in tested) else POSSIBLY

    def is_better(self, model: str, other: str) -> bool:
        """Whether a model is shown to be better than another."""
        pair = self.made.get(frozenset((model, other)))
        return pair is not None and pair.shown == (1 if pair.model == model else -1)

    def lines(self, reference: str | None) -> Iterator[Line]:
        """The models with their comparisons with `reference`; without one, each pair by itself."""
        if reference is not None:
            for model, value in self.values.items():
                pair = self.made.get(frozenset((model, reference)))
                yield model, value, pair if pair is None or pair.model == model else pair.turned
            return
        before = None
        for pair in self.pairs:
            if before != (before := (pair.baseline, pair.baseline_value)):
                yield *before, None
            yield pair.model, pair.value, pair


def table(result: pa.Table) -> pa.Table:
    """One row per metric and model: the value, whether it is the best, and the difference from the baseline.

    Without a baseline it is the difference from the best model. If that can't be told, or if a model has several values because
    its pairs have different users, there is a row per pair below the model that it is compared with.
    """
    settings = settings_of(result)
    standings = [Standing(settings, pairs) for pairs in by_metric(pairs_of(result))]
    from_best = all(one.best for one in standings)
    baseline = settings.baseline if settings else None
    alike = all(one.values for one in standings)
    references = [(baseline or (one.best[0] if from_best else None)) if alike else None for one in standings]
    lines = [(one, *line) for one, reference in zip(standings, references, strict=True) for line in one.lines(reference)]
    places = [one.place(model) for one, model, _, _ in lines]
    source = f" from {baseline}" if baseline else " from the best" if standings and from_best else ""
    columns: list[Shown] = [
        (pa.field("metric", pa.string()), [one.pairs[0].at for one, *_ in lines]),
        (pa.field("model", pa.string()), [model for _, model, _, _ in lines]),
        (pa.field("value", pa.float64()), [value for _, _, value, _ in lines]),
        *([(pa.field("best", pa.string()), places)] if any(places) else []),
        *found(settings, [pair for *_, pair in lines], source),
    ]
    return table_of(columns)


def by_slice(result: pa.Table) -> pa.Table:
    """A line per metric, pair of models and segment; the other columns are in the formats for machines."""
    settings, pairs = settings_of(result), pairs_of(result)
    metrics = list(dict.fromkeys(pair.at for pair in pairs))
    lines = sorted(zip(pairs, result.to_pylist(), strict=True), key=lambda line: metrics.index(line[0].at))
    pairs, rows = [pair for pair, _ in lines], [row for _, row in lines]
    baseline = settings.baseline if settings else None
    columns: list[Shown] = [
        (pa.field("metric", pa.string()), [pair.at for pair in pairs]),
        (pa.field("model", pa.string()), [pair.model for pair in pairs]),
        *([] if baseline else [(pa.field("baseline", pa.string()), [pair.baseline for pair in pairs])]),
        (pa.field("slice", pa.string()), [row["slice"] or "" for row in rows]),
        (pa.field("segment", pa.string()), [segment_of(row) for row in rows]),
        (pa.field("users", pa.int64()), [pair.users for pair in pairs]),
        (pa.field("share", pa.float64()), [row["share"] for row in rows]),
        *found(settings, pairs, f" from {baseline}" if baseline else ""),
        *((pa.field(name, pa.float64()), [row[name] for row in rows]) for name in FURTHER if name in result.column_names),
    ]
    return table_of(columns)


def found(settings: Settings | None, pairs: Sequence[Pair | None], source: str) -> list[Shown]:
    """The columns of what was found: the difference from `source`, the p, and who wins; empty where nothing is compared."""
    correction = CORRECTIONS.get(settings.correction) if settings else None
    heading = f"p ({correction})" if correction else "p"
    differences = [pair and f"{pair.difference_text}{'*' * pair.doubtful}" for pair in pairs]
    adjusted = [pair.p_adjusted if pair else None for pair in pairs]
    p = [f"<{SMALLEST}" if p is not None and p < SMALLEST else cell(p) for p in adjusted]
    return [
        (pa.field(f"difference{source}", pa.string()), differences),
        (pa.field(heading, pa.string(), metadata=TO_THE_RIGHT), p),
        *((pa.field(name, pa.int64()), [pair and getattr(pair, name) for pair in pairs]) for name in ("wins", "ties", "losses")),
    ]


def table_of(columns: Sequence[Shown]) -> pa.Table:
    return pa.table([values for _, values in columns], schema=pa.schema([field for field, _ in columns]))


def latex(result: pa.Table) -> str:
    """A booktabs tabular with a row per model and a column per metric: the best value in bold.

    A superscript has the letters of the models that this one is shown to be better than, as in ranx (Bassani 2022). Empty if a
    model has several values of a metric, because its pairs have different users.
    """
    settings = settings_of(result)
    standings = [Standing(settings, pairs) for pairs in by_metric(pairs_of(result))]
    if not all(one.values for one in standings):
        return ""
    letters = dict(zip(dict.fromkeys(model for one in standings for model in one.values), lettering(), strict=False))
    head = ["", "model", *(tex(one.pairs[0].at) for one in standings)]
    rows = [
        [letter, tex(on_one_line(model)), *(marked(one, model, letters) for one in standings)]
        for model, letter in letters.items()
    ]
    return tabular("ll" + "l" * len(standings), head, rows)


def lettering() -> Iterator[str]:
    """The letters a to z, then aa, ab and so on."""
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))


def marked(standing: Standing, model: str, letters: dict[str, str]) -> str:
    """A value in LaTeX: bold if it is the best, with the letters of the models that are worse."""
    if standing.values.get(model) is None:
        return ""
    value = cell(standing.values[model])
    worse = [letter for other, letter in letters.items() if standing.is_better(model, other)]
    separator = "," if any(len(letter) > 1 for letter in worse) else ""
    above = f"$^{{{separator.join(worse)}}}$" if worse else ""
    return (rf"\textbf{{{value}}}" if model in standing.best else value) + above
