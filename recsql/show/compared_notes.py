"""The lines under a comparison: what was found, how it was tested, and whose values count."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from recsql.base.text import span
from recsql.base.wording import all_rows
from recsql.show.compared import Compared, Pair, Settings, by_metric
from recsql.show.compared_tables import CORRECTIONS, POSSIBLY, UNTESTED, Standing
from recsql.show.comparison_text import TESTS, Finding, named, one
from recsql.show.notes import population

MOST = 6  # comparisons that are put into words


def notes(result: pa.Table) -> list[str]:
    """The sentences on the most important comparisons, then one line per fact; fewer if the result has lost its metadata."""
    compared = Compared.of(result)
    settings, pairs = compared.settings, compared.pairs
    told = [*findings(compared, settings), *tested(compared, settings), *places(compared, settings)] if settings else []
    return [*told, *population(result), *no_means(pairs), *orientations(pairs), *unpaired(pairs), *few(pairs)]


def findings(compared: Compared, settings: Settings) -> Iterator[str]:
    told = most_important(compared, settings)
    yield from (str(Finding(compared, settings, pair)) for pair in told)
    if left := len(compared.pairs) - len(told):
        yield f"... and {left:,} more comparison{'s' if left > 1 else ''}: {all_rows()}"


def most_important(compared: Compared, settings: Settings) -> Sequence[Pair]:
    """All rows if they are few; else those of the first metric, and without a baseline those with its best model."""
    if len(compared.pairs) <= MOST:
        return compared.pairs
    first = next(by_metric(compared.pairs))
    best = [] if settings.baseline is not None else Standing(compared, first).best
    return [pair for pair in first if not best or pair.model in best or pair.baseline in best][:MOST]


def tested(compared: Compared, settings: Settings) -> Iterator[str]:
    """The line on the test, the correction and the intervals."""
    at = f"{0.0 - settings.margin:g}"
    two_sided = f"difference other than {at}" if settings.margin else "two-sided"
    direction = {"greater": f"difference > {at}", "less": f"difference < {at}"}.get(settings.alternative, two_sided)
    sizes = sorted({*compared.families.values()} - {0})
    over = f" over {' or '.join(f'{size:,}' for size in sizes)} comparisons" if sizes else ""
    correction = f"adjusted by {CORRECTIONS[settings.correction]}{over}" if settings.correction in CORRECTIONS else "not adjusted"
    widened = "widened for all together" if settings.correction == "bonferroni" else "not adjusted"
    if compared.families:
        methods = sorted({pair.p_method for pair in compared.pairs if pair.p_method})
        test = f"{TESTS[settings.test]} ({' or '.join(methods)})" if methods else TESTS[settings.test]
        told = "one comparison" if sizes == [1] else correction
        yield f"p: {test}, {direction}, {told}. Intervals: {100 * settings.interval:g} %, {widened}."


def places(compared: Compared, settings: Settings) -> Iterator[str]:
    """The lines on the words of the column `best`, if it has them."""
    standings = [Standing(compared, pairs) for pairs in by_metric(compared.pairs)]
    found = {one.place(model) for one in standings for model in one.values}
    if POSSIBLY in found:
        yield f"best, {POSSIBLY}: no difference from the best was found."
    if UNTESTED in found:
        others = f"; only comparisons with {one(settings.baseline)} were made" if settings.baseline is not None else ""
        yield f"best, {UNTESTED}: not compared with the best{others}."


def no_means(pairs: Sequence[Pair]) -> Iterator[str]:
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
