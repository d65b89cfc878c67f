"""A comparison in words: each finding as a sentence, and the lines under the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa

from recsql.base.text import on_one_line, span
from recsql.base.wording import all_rows
from recsql.query.results import report_of
from recsql.show.comparison import Pair, Settings, by_metric, decimals, pairs_of, settings_of
from recsql.show.comparison_tables import CORRECTIONS, POSSIBLY, SMALLEST, UNTESTED, Standing
from recsql.show.report_notes import left_out, of_input, population, shared_users

MOST = 6  # comparisons that are put into words
TESTS = {
    "t": "paired t test",
    "randomisation": "randomisation test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}
RANKED = ("wilcoxon", "sign")  # tests that are not about means
WORDS = {1: ("better", "worse"), -1: ("worse", "better"), 0: ("higher", "lower")}  # a higher and a lower value, by orientation


def notes(result: pa.Table) -> list[str]:
    """The lines under the table. Without metadata there are only those on its rows; slices have no sentences on findings."""
    pairs, settings, sliced = pairs_of(result), settings_of(result), "slice" in result.column_names
    lines: list[str] = []
    if settings:
        told = [] if sliced else most_important(pairs, settings)
        lines += [str(Finding(settings, pair)) for pair in told]
        if not sliced and (left := len(pairs) - len(told)):
            lines.append(f"... and {left:,} more comparison{'s' if left > 1 else ''}: {all_rows()}")
        lines += [*tested(pairs, settings), *([] if sliced else places(pairs, settings))]
    lines += [*population(result), *not_means(pairs), *orientations(pairs), *unpaired(pairs), *few(pairs)]
    return [*lines, *small_segments(result), *(shared_users(result) if sliced else []), *of_input(result)]


def most_important(pairs: Sequence[Pair], settings: Settings) -> Sequence[Pair]:
    """All rows if they are few; else those of the first metric, and without a baseline those with its best model."""
    if len(pairs) <= MOST:
        return pairs
    first = by_metric(pairs)[0]
    best = [] if settings.baseline is not None else Standing(settings, first).best
    return [pair for pair in first if not best or pair.model in best or pair.baseline in best][:MOST]


def tested(pairs: Sequence[Pair], settings: Settings) -> Iterator[str]:
    """The line on the test, the correction and the intervals."""
    sizes = [pair.tests for pair in pairs if pair.tests]
    if not sizes:
        return
    at = f"{0.0 - settings.margin:g}"
    direction = {"greater": f"difference > {at}", "less": f"difference < {at}"}.get(settings.alternative, "two-sided")
    methods = " or ".join(sorted({pair.p_method for pair in pairs if pair.p_method}))
    test = f"{TESTS[settings.test]} ({methods})" if methods else TESTS[settings.test]
    correction = "not adjusted"
    if settings.correction in CORRECTIONS:
        over = " or ".join(f"{size:,}" for size in sorted({*sizes}))
        correction = f"adjusted by {CORRECTIONS[settings.correction]} over {over} comparisons"
    told = "one comparison" if {*sizes} == {1} and (len(sizes) == 1 or settings.correction in CORRECTIONS) else correction
    widened = "widened for all together" if settings.correction == "bonferroni" else "not adjusted"
    yield f"p: {test}, {direction}, {told}. Intervals: {100 * settings.interval:g} %, {widened}."


def places(pairs: Sequence[Pair], settings: Settings) -> Iterator[str]:
    """The lines on the words of the column `best`, if it has them."""
    standings = [Standing(settings, of_metric) for of_metric in by_metric(pairs)]
    found = {one.place(model) for one in standings for model in one.values}
    if POSSIBLY in found:
        yield f"best, {POSSIBLY}: no difference from the best was found."
    if UNTESTED in found:
        others = f"; only comparisons with {one(settings.baseline)} were made" if settings.baseline is not None else ""
        yield f"best, {UNTESTED}: not compared with the best{others}."


def not_means(pairs: Sequence[Pair]) -> Iterator[str]:
    """The line on metrics that are not means over users."""
    if found := dict.fromkeys(pair.metric for pair in pairs if pair.wins is None):
        yield f"Not means over users: {', '.join(found)}; interval and test leave out one group of users at a time."


def orientations(pairs: Sequence[Pair]) -> Iterator[str]:
    """The line on metrics whose low values are better."""
    if lower := dict.fromkeys(pair.at for pair in pairs if pair.orientation < 0):
        yield f"Low values are better for {' and '.join(lower)}; wins are the users with a higher one."


def unpaired(pairs: Sequence[Pair]) -> Iterator[str]:
    """The line that counts the users who have a value of only one of two models."""
    numbered = [(named(pair), pair.unpaired) for pair in pairs if pair.unpaired is not None]
    if any(number for _, number in numbered):
        yield f"Users left out, with a value of only one of two models: {by_pair(numbered)}."


def small_segments(result: pa.Table) -> Iterator[str]:
    """The line that counts the small segments that are not in the result."""
    counts = [(f"{one(pair['model'])} and {one(pair['baseline'])}", pair) for pair in report_of(result).get("pairs", ())]
    numbered = [(models, pair["segments_left_out"]) for models, pair in counts if "segments_left_out" in pair]
    if any(number for _, number in numbered):
        yield left_out(result, by_pair(numbered))


def by_pair(counts: Sequence[tuple[str, int]]) -> str:
    """Numbers with the names of the two models that each is about; only the numbers if they agree or are many."""
    of_pairs: dict[str, list[int]] = {}
    for models, number in counts:
        of_pairs.setdefault(models, []).append(number)
    told = {models: span(found) for models, found in of_pairs.items()}
    if len({*told.values()}) == 1 or len(told) > MOST:
        return span([number for _, number in counts])
    return ", ".join(f"{models} {text}" for models, text in told.items())


def few(pairs: Sequence[Pair]) -> Iterator[str]:
    """The line for differences with an asterisk."""
    if found := [pair for pair in pairs if pair.doubtful]:
        told = f"the interval of {named(found[0])} on {found[0].at}" if len(found) == 1 else f"{len(found):,} intervals"
        differing = [pair.differing for pair in found if pair.differing is not None]
        seen = f", {span(differing)} of them with a difference" if differing else ""
        users = [pair.users for pair in found]
        yield f"* few users: {told} may be too narrow ({span(users)} user{'' if max(users) == 1 else 's'}{seen})."


@dataclass(frozen=True)
class Finding:
    """A row of `compare`, and how it was tested."""

    settings: Settings
    pair: Pair

    def __str__(self) -> str:
        pair = self.pair
        if pair.difference is None:
            return f"{named(pair)} can't be compared on {pair.on}: no user has values of both."
        if pair.verdict == "same":
            users = f"{pair.users:,} user{'' if pair.users == 1 else 's'}"
            return f"{named(pair)} have the same {pair.on}: no user differs ({users})."
        if pair.verdict == "untested":
            change = decimals(pair.difference, "+")
            return f"The difference between {named(pair)} on {pair.on}, {change}, can't be tested: {self.why_untested}."
        return self.of_ranks if self.settings.test in RANKED else self.of_means

    @property
    def of_means(self) -> str:
        """The sentence of a test that is about means."""
        pair, towards = self.pair, self.pair.towards
        if not towards and self.settings.tells_apart:
            return f"No difference found between {named(pair)} on {pair.on}{self.detectable}."
        if not towards:
            return f"It is not shown that {self.claim()}: difference {pair.difference_text}, {self.p}{self.shown_by}."
        found = f"{one(pair.model)} is {self.adjective(towards)}"
        if self.settings.margin:
            return f"{found}: difference {pair.difference_text}, {self.p}."
        size = (pair if towards > 0 else pair.turned).difference_text.removeprefix("+")
        alike = f"; no difference for {pair.ties:,} of {pair.users:,} users" if pair.ties else ""
        return f"{found} by {size}, {self.p}{alike}."

    @property
    def of_ranks(self) -> str:
        """The sentence of a test that is not about means: it says who has the higher value, with the means beside it."""
        pair, shown = self.pair, self.pair.is_shown
        if self.settings.tells_apart:
            found = f"{named(pair)} differ" if shown else f"No difference found between {named(pair)}"
            found += f" on {pair.on}"
        else:
            found = f"It is {'' if shown else 'not '}shown that {self.claim('tends to be')}"
        up, down = WORDS[pair.orientation]
        users = f"{one(pair.model)} is {up} for {pair.wins:,} users and {down} for {pair.losses:,}"
        return f"{found}, {self.p}; {users}. Difference of the means: {pair.difference_text}."

    def claim(self, verb: str = "is") -> str:
        """What a test with a direction looks for, as in `ease is worse than pop on ndcg@10 by more than 0.002`."""
        return f"{one(self.pair.model)} {verb} {self.adjective(1 if self.settings.alternative == 'greater' else -1)}"

    def adjective(self, towards: int) -> str:
        """The words for a difference above (1) or below (-1) -margin, as in `worse than pop on ndcg@10`."""
        up, down = WORDS[self.pair.orientation][::towards]
        than = f"than {one(self.pair.baseline)} on {self.pair.on}"
        margin = abs(self.settings.margin)
        if towards * self.settings.margin > 0:
            return f"at most {margin:g} {down} {than}"
        return f"{up} {than} by more than {margin:g}" if margin else f"{up} {than}"

    @property
    def why_untested(self) -> str:
        if self.pair.users < 2:
            return "only one user has values of both"
        same = f"it is the same for all {self.pair.users:,} users"
        return same if self.pair.std_error == 0 else "its standard error can't be computed"

    @property
    def detectable(self) -> str:
        """The difference that would have been found; before it the p, if only the correction makes it too large."""
        lost = f": {self.p}" if self.pair.p is not None and self.pair.p < self.settings.level else ""
        if self.pair.detectable is None:
            return lost
        needed, often = decimals(self.pair.detectable), cases(self.settings.power)
        return f"{lost}; {self.alone}a difference of {needed} or more would have been found in {often}"

    @property
    def shown_by(self) -> str:
        """The difference with which a one-sided test would have shown what it looks for; `detectable` is that of two sides."""
        if self.pair.detectable is None:
            return ""
        direction = 1 if self.settings.alternative == "greater" else -1
        needed = decimals(direction * self.pair.detectable - self.settings.margin, "+")
        return f"; {self.alone}a difference of {needed} would have shown it in at least {cases(self.settings.power)}"

    @property
    def alone(self) -> str:
        """A restriction: the power is that of a test without correction."""
        return "" if self.is_single else "tested alone, "

    @property
    def p(self) -> str:
        """Both p, as in `p = 0.00015 (Holm over 54 comparisons: 0.0026)`."""
        p, adjusted = written(self.pair.p), written(self.pair.p_adjusted)
        alone = f"p {p}" if p.startswith("<") else f"p = {p}"
        if self.is_single:
            return alone
        return f"{alone} ({CORRECTIONS[self.settings.correction]} over {self.pair.tests:,} comparisons: {adjusted})"

    @property
    def is_single(self) -> bool:
        """Whether the p is not corrected for other tests."""
        return self.pair.tests == 1


def cases(power: float) -> str:
    """A power in words, as in `4 of 5 cases`."""
    share = Fraction(power).limit_denominator(1000)
    return f"{share.numerator} of {share.denominator} cases"


def written(p: float | None) -> str:
    """A p with two digits; the columns of the result have all."""
    return "" if p is None else f"< {SMALLEST}" if p < SMALLEST else f"{p:.2g}"


def named(pair: Pair) -> str:
    return f"{one(pair.model)} and {one(pair.baseline)}"


def one(model: str | None) -> str:
    return on_one_line(str(model))
