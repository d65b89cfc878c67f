"""A comparison in words: a sentence for each result, and the lines under the table."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pyarrow as pa

from recsql.base.text import counted, on_one_line, span
from recsql.base.wording import all_rows, either
from recsql.display import comparison
from recsql.display.comparison import CORRECTIONS, SMALLEST, Pair, Settings, decimals, pairs_of, settings_of, widest_of
from recsql.display.notes import left_out, of_input, population, shared_users
from recsql.query.results import metadata_of

MOST = 6  # the most comparisons that get a sentence
TESTS = {"t": "paired t", "randomisation": "randomisation", "wilcoxon": "Wilcoxon signed-rank", "sign": "sign"}
FEWEST = (50, 20)  # users, and users who differ: with fewer, a comparison with many looks has no p
RANKED = ("wilcoxon", "sign")  # tests that are not about means
WORDS = {1: ("better", "worse"), -1: ("worse", "better"), 0: ("higher", "lower")}  # a higher and a lower value, by orientation


def notes(result: pa.Table) -> list[str]:
    """The lines under the table. If the metadata is lost, they are only about the rows.

    Each row gets a sentence if they are few; else the rows of the first metric do, without a baseline those with its best model.
    Slices have no sentences.
    """
    pairs, settings, standings = pairs_of(result), settings_of(result), comparison.standings_of(result)
    lines: list[str] = []
    if settings and "slice" not in result.column_names:
        told = pairs
        if len(pairs) > MOST:
            first, best = standings[0].pairs, [] if settings.baseline is not None else standings[0].best
            told = [pair for pair in first if not best or pair.model in best or pair.baseline in best][:MOST]
        lines += [result_sentence(pair, settings) for pair in told]
        if left := len(pairs) - len(told):
            lines.append(f"... and {counted(left, 'more comparison')}: {all_rows()}")
    if settings:
        lines += test_lines(pairs, settings)
        lines += dataset_lines(pairs, settings)
        standings = [] if "slice" in result.column_names else standings
        apart = {one.place(model): settings.baseline not in (None, *one.best) for one in standings for model in one.values}
        if comparison.POSSIBLY in apart:
            lines.append(f"best, {comparison.POSSIBLY}: no difference from the best was shown.")
        if comparison.UNTESTED in apart:
            others = f"; only comparisons with {name_of(settings.baseline)} were made" if apart[comparison.UNTESTED] else ""
            lines.append(f"best, {comparison.UNTESTED}: not tested against the best{others}.")
    lines += [*population(result), *on_rows(pairs, settings.vary if settings else "users")]
    counts = [
        (f"{name_of(pair['model'])} and {name_of(pair['baseline'])}", pair["segments_left_out"])
        for pair in metadata_of(result).get("pairs", ())
        if "segments_left_out" in pair
    ]
    if any(number for _, number in counts):
        lines.append(left_out(result, by_pair(counts)))
    return [*lines, *unequal_lines(result), *(shared_users(result) if "slice" in result.column_names else []), *of_input(result)]


def unequal_lines(result: pa.Table, metric: str | None = None) -> Iterator[str]:
    """If lists differ in how much of them is judged, or in how much text they have: the lines on that; see `judged_lines`."""
    yield from judged_lines(result, metric)
    if rows := metadata_of(result).get("read_apart", []):
        (first, *others), way = rows, either("budget='tokens'", "--budget tokens")
        read = ", ".join(f"{name_of(one['model'])} {one['reads']:,.0f}" for one in others)
        said = f"{name_of(first['model'])} reads {first['reads']:,.0f} {first['unit']} per list, {read}"
        yield f"{said}: more text finds more; {way}, of a column of tokens, compares them at equal cost."


def judged_lines(result: pa.Table, metric: str | None = None) -> Iterator[str]:
    """If lists differ in how much of them is judged: the share of each model, and the results on judged items alone.

    With `metric`, which has its cut-off, only the results on it.
    """
    settings, rows = settings_of(result), metadata_of(result).get("judged_apart", [])
    pairs = zip(pairs_of(pa.Table.from_pylist(rows)) if rows else (), rows, strict=True)
    told = [(pair, row) for pair, row in pairs if pair.slice is None and pair.orientation and metric in (None, pair.at)]
    shares = {name: row[of] for pair, row in told for name, of in ((pair.model, "judged"), (pair.baseline, "baseline_judged"))}
    if settings and told:
        names = sorted(shares, key=lambda one: shares[one])
        at = [f"{name_of(one)}{'' if place else ' is judged'} at {100 * shares[one]:.0f} %" for place, one in enumerate(names)]
        yield f"{', '.join(at)}: what nobody judged counts as not relevant."
        for pair, _ in told[:MOST]:
            of = f"{pair.at} of {name_of(pair.model)} less that of {name_of(pair.baseline)}"
            p = f", {p_in_words(pair, settings)}" if pair.p is not None else ""
            yield f"On judged items alone, {of}: {pair.difference_text or 'no value of both'}{p}."


def test_lines(pairs: Sequence[Pair], settings: Settings) -> Iterator[str]:
    """The line on the test, the correction and the intervals."""
    sizes = [pair.tests for pair in pairs if pair.tests]
    if not sizes:
        return
    at = f"{0.0 - settings.margin:g}"
    direction = {"greater": f"difference > {at}", "less": f"difference < {at}"}.get(settings.alternative, "two-sided")
    methods = " or ".join(sorted({pair.p_method for pair in pairs if pair.p_method}))
    test = f"{TESTS[settings.test]} test{f' ({methods})' if methods else ''}"
    correction = "not adjusted"
    if settings.correction in CORRECTIONS:
        over = " or ".join(f"{size:,}" for size in sorted({*sizes}))
        correction = f"adjusted by {CORRECTIONS[settings.correction]} over {over} comparisons"
    told = "one comparison" if {*sizes} == {1} and (len(sizes) == 1 or settings.correction in CORRECTIONS) else correction
    widened = "widened for all together" if settings.correction == "bonferroni" else "not adjusted"
    yield f"p: {test}, {direction}, {told}. Intervals: {100 * settings.interval:g} %, {widened}."
    if settings.looks == "many":
        narrowest = f"looks = many, narrowest at about {settings.planned_users:,} users"
        yield f"p and intervals hold at every look ({narrowest})."


def dataset_lines(pairs: Sequence[Pair], settings: Settings) -> Iterator[str]:
    """The line on data sets, and for which samples the intervals are."""
    if pairs and pairs[0].datasets is not None:
        are = {"users": "given; the same user id in two of them is two users", "datasets": "a sample"}[settings.vary]
        yield f"Differences of the means over {counted(pairs[0].datasets, 'data set')}, which are taken as {are}."
        if settings.vary == "datasets" and any(pair.doubtful for pair in pairs):
            yield "* few data sets: intervals from fewer than 10 may be too narrow."


def on_rows(pairs: Sequence[Pair], vary: str) -> Iterator[str]:
    """The lines on metrics that are not means or have better low values, on users left out, and on few users."""
    if not_means := dict.fromkeys(pair.metric for pair in pairs if pair.wins is None):
        yield f"Not means over users: {', '.join(not_means)}; interval and test leave out one group of users at a time."
    if lower := dict.fromkeys(pair.at for pair in pairs if pair.orientation < 0):
        yield f"Low values are better for {' and '.join(lower)}; wins are the users with higher values."
    unpaired = [(names_of(pair), pair.unpaired) for pair in pairs if pair.unpaired is not None]
    if any(number for _, number in unpaired):
        yield f"Users left out, with a value of only one of two models: {by_pair(unpaired)}."
    if few := [pair for pair in pairs if pair.doubtful and vary == "users"]:
        which = f"the interval of {names_of(few[0])} on {few[0].at}" if len(few) == 1 else f"{len(few):,} intervals"
        users = [pair.users for pair in few]
        differing = [pair.wins + pair.losses for pair in few if pair.wins is not None and pair.losses is not None]
        of_them = f", {span(differing)} of them with a difference" if differing else ""
        yield f"* few users: {which} may be too narrow ({span(users)} user{'' if max(users) == 1 else 's'}{of_them})."


def by_pair(counts: Sequence[tuple[str, int]]) -> str:
    """Numbers with the two models of each; the numbers alone if they are equal or many."""
    of_pairs: dict[str, list[int]] = {}
    for models, number in counts:
        of_pairs.setdefault(models, []).append(number)
    told = {models: span(found) for models, found in of_pairs.items()}
    if len({*told.values()}) == 1 or len(told) > MOST:
        return span([number for _, number in counts])
    return ", ".join(f"{models} {text}" for models, text in told.items())


def result_sentence(pair: Pair, settings: Settings) -> str:
    """The sentence on the result of one comparison."""
    model, both, two_sided = name_of(pair.model), names_of(pair), settings.alternative == "two_sided"
    if pair.difference is None:
        return f"{both} can't be compared on {pair.on}: no user has values of both."
    if pair.verdict == "same":
        return f"{both} have the same {pair.on}: no user differs ({counted(pair.users, 'user')})."
    same = f"the same {f'for all {pair.users:,} users' if pair.effect is None else 'in all clusters'}"
    if pair.verdict == "untested":
        why = f"it is {same}" if pair.std_error == 0 else "its standard error can't be computed"
        why = why if pair.users > 1 else "only one user has values of both"
        why = few_to_look(pair) if pair.few and settings.looks == "many" else why
        return f"The difference between {both} on {pair.on}, {decimals(pair.difference, '+')}, can't be tested: {why}."
    asked = adjective(pair, settings, 1 if settings.alternative == "greater" else -1)  # what a one-sided test looks for
    after = hidden(pair, settings.interval)
    claim = (
        f"{model} is {adjective(pair, settings, pair.towards)}"
        if pair.towards
        else f"It is not shown{after} that {model} is {asked}"
    )
    if pair.p is None:
        return f"{claim}: difference {pair.difference_text}, {same}, which no t test can judge."
    p = p_in_words(pair, settings)
    if settings.test in RANKED:  # the sentence names the higher values, and the means follow
        found = f"It is {'' if pair.is_shown else 'not '}shown{after} that {model} tends to be {asked}"
        if two_sided:
            found = f"{both} differ" if pair.is_shown else f"No difference {'shown' if after else 'found'} between {both}"
            found += f" on {pair.on}{after}"
        up, down = WORDS[pair.orientation]
        users = f"{model} is {up} for {pair.wins:,} users and {down} for {pair.losses:,}"
        return f"{found}, {p}; {users}. Difference of the means: {pair.difference_text}."
    if not pair.is_shown and two_sided:
        found = f"No difference found between {both} on {pair.on}"
        if after:
            found = f"The difference between {both} on {pair.on}, {pair.difference_text}, is not shown{after}: {p}"
        return f"{found}{detectable_text(pair, settings)}."
    if not pair.is_shown:
        return f"{claim}: difference {pair.difference_text}, {p}{detectable_text(pair, settings)}."
    if settings.margin:
        return f"{claim}: difference {pair.difference_text}, {p}."
    size = (pair if pair.towards > 0 else pair.turned).difference_text.removeprefix("+")
    alike = f"; no difference for {pair.ties:,} of {pair.users:,} users" if pair.ties else ""
    return f"{claim} by {size}, {p}{alike}."


def few_to_look(pair: Pair) -> str:
    """Why a comparison with many looks has no p yet."""
    users, differing = FEWEST
    if pair.users < users:
        return f"too few users to look: {pair.users:,}; from {users} on"
    return f"too few users who differ to look: {pair.users - (pair.ties or 0):,}; from {differing} on"


def hidden(pair: Pair, interval: float) -> str:
    """Words for a difference that the test alone shows, and the correction doesn't; else empty."""
    alone = not pair.is_shown and pair.p is not None and pair.p < round(1 - interval, 12)
    return f" after the correction for {pair.tests:,} tests" if alone and pair.tests and pair.tests > 1 else ""


def adjective(pair: Pair, settings: Settings, towards: int) -> str:
    """Words for a difference above (1) or below (-1) -margin, as in `worse than pop on ndcg@10 by more than 0.002`."""
    up, down = WORDS[pair.orientation][::towards]
    than, margin = f"than {name_of(pair.baseline)} on {pair.on}", abs(settings.margin)
    if towards * settings.margin > 0:
        return f"at most {margin:g} {down} {than}"
    return f"{up} {than} by more than {margin:g}" if margin else f"{up} {than}"


def detectable_text(pair: Pair, settings: Settings) -> str:
    """The difference that the test, without a correction, would have found; `detectable` is that of a two-sided test."""
    if pair.detectable is None:
        return ""
    direction = -1 if settings.alternative == "less" else 1
    two_sided = settings.alternative == "two_sided"
    needed = pair.detectable if two_sided else direction * pair.detectable - settings.margin
    if abs(needed) > widest_of(pair.definition):
        sample = counted(pair.users, "user") if settings.vary == "users" else counted(pair.datasets or 0, "data set")
        return f"; {sample} are too few to find even the largest possible difference in {cases(settings.power)}"
    alone = "" if pair.tests == 1 else "tested alone, "
    needs = f"{decimals(needed)} or more would have been found in"
    if not two_sided:
        needs = f"{decimals(needed, '+')} would have shown it in at least"
    return f"; {alone}a difference of {needs} {cases(settings.power)}"


def p_in_words(pair: Pair, settings: Settings) -> str:
    """Both p in two digits, as in `p = 0.00015 (Holm over 54 comparisons: 0.0026)`."""
    smallest = f"< {SMALLEST}"
    p, adjusted = ("" if p is None else smallest if p < SMALLEST else f"{p:.2g}" for p in (pair.p, pair.p_adjusted))
    alone = f"p {p}" if p == smallest else f"p = {p}"
    if pair.tests == 1:
        return alone
    return f"{alone} ({CORRECTIONS[settings.correction]} over {pair.tests:,} comparisons: {adjusted})"


def cases(power: float) -> str:
    """A power in words, as in `4 of 5 cases`."""
    share = Fraction(power).limit_denominator(1000)
    return f"{share.numerator} of {share.denominator} cases"


def names_of(pair: Pair) -> str:
    return f"{name_of(pair.model)} and {name_of(pair.baseline)}"


def name_of(model: str | None) -> str:
    return on_one_line(str(model))
