"""A comparison in words: a sentence for each result, and the lines under the table."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from recsql.base.text import cases, counted, on_one_line, span
from recsql.base.wording import all_rows, either
from recsql.display import comparison
from recsql.display.comparison import CORRECTIONS, Pair, Settings, pairs_of, settings_of, widest_of
from recsql.display.notes import left_out, of_input, population, shared_users
from recsql.query.over_result import over_result
from recsql.query.results import Row, metadata_of

MOST = 6  # the most comparisons that get a sentence
TESTS = {"t": "paired t", "randomisation": "randomisation", "wilcoxon": "Wilcoxon signed-rank", "sign": "sign"}
READ = pa.schema(  # the columns that sentences read
    [
        *((name, pa.string()) for name in ("model", "baseline", "name", "against", "at", "verdict")),
        *((name, pa.int64()) for name in ("place", "users", "tests", "wins", "ties", "losses", "datasets", "orientation")),
        *((name, pa.float64()) for name in ("difference", "low", "high", "std_error", "p", "p_adjusted", "effect", "detectable")),
        ("widest", pa.float64()),
        ("few", pa.bool_()),
    ]
)
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
        lines += sentences(told, settings)
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
        first = [pair for pair, _ in told[:MOST]]
        for pair, row in zip(first, told_of(first, settings), strict=True):
            of = f"{pair.at} of {name_of(pair.model)} less that of {name_of(pair.baseline)}"
            p = f", {row['p_words']}" if pair.p is not None else ""
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


def told_of(
    pairs: Sequence[Pair], settings: Settings, name: str = "compared", further: pa.Table | None = None, **context: object
) -> list[Row]:
    """The rows of a query of `sql/report` over comparisons; by default, of each the sentence on its result and its p in words."""
    rows = [
        {"place": place, "name": name_of(one.model), "against": name_of(one.baseline), "at": one.on}
        | {**vars(one), "orientation": one.orientation, "widest": widest_of(one.definition)}
        for place, one in enumerate(pairs)
    ]
    known = {**vars(settings), "cases": cases(settings.power), "raw": False, **context}
    return list(over_result(name, pa.Table.from_pylist(rows, READ), further, **known).to_pylist())


def sentences(pairs: Sequence[Pair], settings: Settings) -> list[str]:
    """The sentence on the result of each comparison."""
    return [row["sentence"] for row in told_of(pairs, settings)] if pairs else []


def hidden(pair: Pair, interval: float) -> str:
    """Words for a difference that the test alone shows, and the correction doesn't; else empty."""
    alone = not pair.is_shown and pair.p is not None and pair.p < round(1 - interval, 12)
    return f" after the correction for {pair.tests:,} tests" if alone and pair.tests and pair.tests > 1 else ""


def names_of(pair: Pair) -> str:
    return f"{name_of(pair.model)} and {name_of(pair.baseline)}"


def name_of(model: str | None) -> str:
    return on_one_line(str(model))
