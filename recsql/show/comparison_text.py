"""What one comparison found, as a sentence."""

from dataclasses import dataclass
from fractions import Fraction

from recsql.base.text import on_one_line
from recsql.show.compared import RANKED, Compared, Pair, Settings, decimals
from recsql.show.compared_tables import CORRECTIONS, SMALLEST

TESTS = {
    "t": "paired t test",
    "randomisation": "randomisation test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}
WORDS = {1: ("better", "worse"), -1: ("worse", "better"), 0: ("higher", "lower")}  # a higher and a lower value, by orientation


@dataclass(frozen=True)
class Finding:
    """A row of `compare` beside the others, and how it was tested."""

    compared: Compared
    settings: Settings
    pair: Pair

    def __str__(self) -> str:
        pair = self.pair
        if pair.difference is None:
            return f"{named(pair)} can't be compared on {pair.on}: no user has values of both."
        if pair.ties == pair.users:
            return (
                f"{named(pair)} have the same {pair.on}: no user differs ({pair.users:,} user{'' if pair.users == 1 else 's'})."
            )
        if pair.p is None or pair.p_adjusted is None:
            change = decimals(pair.difference, "+")
            return f"The difference between {named(pair)} on {pair.on}, {change}, can't be tested: {self.why_untested}."
        return self.of_ranks if self.settings.test in RANKED else self.of_means

    @property
    def of_means(self) -> str:
        """The sentence of a test that is about means."""
        pair, towards = self.pair, self.compared.towards(self.pair)
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
        pair, shown = self.pair, self.compared.towards(self.pair)
        if self.settings.tells_apart:
            found = f"{named(pair)} differ" if shown else f"No difference found between {named(pair)}"
            found += f" on {pair.on}"
        else:
            found = f"It is {'' if shown else 'not '}shown that {self.claim('tends to be')}"
        up, down = WORDS[pair.orientation]
        users = f"{one(pair.model)} is {up} for {pair.wins:,} users and {down} for {pair.losses:,}"
        return f"{found}, {self.p}; {users}. Difference of the means: {pair.difference_text}."

    def claim(self, verb: str = "is") -> str:
        """What a test with a direction or a margin looks for, as in `ease is worse than pop on ndcg@10 by more than 0.002`."""
        if self.settings.alternative == "two_sided":
            return f"the difference between {named(self.pair)} on {self.pair.on} is other than {-self.settings.margin:g}"
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
        return (
            f"it is the same for {every(self.pair.users)}" if self.pair.std_error == 0 else "its standard error can't be computed"
        )

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
        direction = {"greater": 1, "less": -1}.get(self.settings.alternative)
        if direction is None or self.pair.detectable is None:
            return ""
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
        over = self.compared.families[self.compared.family(self.pair)]
        known = f" over {over:,} comparisons" if over else ""
        return f"{alone} ({CORRECTIONS[self.settings.correction]}{known}: {adjusted})"

    @property
    def is_single(self) -> bool:
        """Whether the p is not corrected for other tests."""
        return self.settings.correction not in CORRECTIONS or self.compared.families[self.compared.family(self.pair)] == 1


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


def every(users: int) -> str:
    return f"all {users:,} users" if users > 1 else "the one user"
