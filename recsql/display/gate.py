"""A gate for CI: whether a comparison shows that a model is worse than the baseline, that none is, or that all are better."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.text import cases, counted
from recsql.base.wording import all_rows, either, flag
from recsql.catalog.headers import Given
from recsql.display.comparison import Pair, Settings, pairs_of, settings_of
from recsql.display.comparison_text import MOST, hidden, name_of, sentences, unequal_lines
from recsql.display.notes import population
from recsql.query.over_result import over_result
from recsql.query.results import metadata_of

MAYBE_WORSE, WORSE, NOT_BETTER = "maybe-worse", "worse", "not-better"
ALTERNATIVES = {MAYBE_WORSE: "less", WORSE: "less", NOT_BETTER: "greater"}  # the alternative that each gate tests
CLAIMS = {
    MAYBE_WORSE: ("every model is shown not to be worse", "a model is shown to be worse"),
    WORSE: ("no model is shown to be worse", "a model is shown to be worse"),
    NOT_BETTER: ("every model is shown to be better", "a model is not shown to be better"),
}  # how a sentence begins if the gate passes, and if it fails
PASS, FAIL, UNCLEAR = "pass", "fail", "unclear"


class Outcome(NamedTuple):
    """What a gate decides: pass, fail or unclear, with a sentence on all comparisons, then one on each that decided it."""

    verdict: str
    lines: Sequence[str]

    @property
    def fails(self) -> bool:
        return self.verdict == FAIL


def options_for(fail_if: str, margin: float | str = 0.0, test: str | None = None) -> dict[str, Given]:
    """The options that `compare` needs for a gate; a difference up to `margin` doesn't matter.

    "worse" fails if a model is shown to be worse than the baseline by more than the margin. "maybe-worse" does, too, and passes
    only if every model is shown not to be. "not-better" fails unless every model is shown to be better by more than the margin.
    Raises RecsqlError if the margin is not a number from 0 on, or is 0 for "maybe-worse".
    """
    if not isinstance(margin, int | float) or not isfinite(margin) or margin < 0:
        raise RecsqlError(f"margin: {margin} is not a number of at least 0; give the largest difference that doesn't matter")
    if fail_if == MAYBE_WORSE and margin == 0:
        raise RecsqlError("margin: it is 0; without a loss that you accept, equal models can never pass, so give one above 0")
    options = {"alternative": ALTERNATIVES[fail_if], "margin": 0.0 - margin if fail_if == NOT_BETTER else margin}
    return options | ({"outcome": "true"} if test in (None, "t") else {})


def apply_gate(result: pa.Table, fail_if: str, max_missing: float | str | None = None) -> Outcome:
    """Judges a result of `compare` that was called with the options that `options_for` gives.

    A comparison that can't be tested shows nothing: "worse" says so and doesn't fail for it, "not-better" does, and to
    "maybe-worse" it is unclear. Each segment of a slice is a comparison. The models are not comparable, and every gate fails, if
    the baseline has no list for more than half of the users with truth for whom a model has one. `max_missing` is another share
    than half, for the lists of every model. Each data set counts by itself.

    Raises RecsqlError if the result has no rows, no baseline, or a metric whose high values are not better, and for another
    `max_missing` than a share.
    """
    pairs, settings = pairs_of(result), settings_of(result)
    if settings is None or settings.baseline is None:
        raise RecsqlError("fail_if: it compares models with a baseline; name one with baseline=")
    if not pairs:
        raise RecsqlError(f"fail_if: no model is compared with {settings.baseline}; give at least one more model")
    for pair in pairs:
        if pair.orientation < 1:
            higher = "it takes high values for the better ones"
            raise RecsqlError(f"fail_if: {higher}, and those of {pair.metric} are not; leave it out")
    if apart := [*incomparable_pairs(result, max_missing)]:
        return Outcome(FAIL, [*apart, *population(result)])
    deciding = [pair for pair in pairs if pair.is_shown == (fail_if != NOT_BETTER)]
    unclear = [pair for pair in pairs if fail_if == MAYBE_WORSE and not deciding and pair.outcome != PASS]
    rest = pairs if fail_if == WORSE or (fail_if == MAYBE_WORSE and deciding) else []
    lost = [pair for pair in rest if hidden(pair, settings.interval)]
    untested = [pair for pair in rest if pair.verdict in ("untested", "same") and pair.outcome != PASS]
    unknown = sum(pair.verdict == "untested" for pair in untested)
    passed, failed = CLAIMS[fail_if]
    than = f"than {name_of(settings.baseline)}{f' by more than {abs(settings.margin):g}' if settings.margin else ''}"
    some = f"{len(deciding or unclear):,} of {len(pairs):,} comparisons"
    where = some if deciding else f"{counted(len(pairs), 'comparison')}{opposite(pairs) if fail_if == WORSE else ''}"
    doubt = "Can't be tested" if unknown == len(pairs) else f"Passed, but {unknown:,} of {len(pairs):,} can't be tested"
    begun = f"Failed: {failed}" if deciding else f"{doubt if unknown else 'Passed'}: {passed}"
    lines = [f"{begun} {than}, in {where}{opposite(deciding) if fail_if == NOT_BETTER else ''}."]
    if unclear:
        who = name_of(unclear[0].model) if len({pair.model for pair in unclear}) == 1 else "a model"
        lines = [f"Can't tell: whether {who} is worse {than} isn't shown, in {some}."]
    for told in (deciding, unclear, lost, untested):
        lines += [f"Not tested: {len(untested):,} of these."] if told and told is untested else []
        lines += (doubts if told is unclear else sentences)(told[:MOST], settings)
        lines += [f"... and {len(told) - MOST:,} more: {all_rows()}"] if len(told) > MOST else []
    verdict = FAIL if deciding else UNCLEAR if unclear else PASS
    return Outcome(verdict, [*lines, *unequal_lines(result), *population(result)])


def opposite(pairs: Sequence[Pair]) -> str:
    """How many rows show the opposite of what a gate looks for, and how many show neither; empty for a test that can't say."""
    unclear = sum(pair.outcome == UNCLEAR for pair in pairs)
    shown = sum(pair.outcome is not None for pair in pairs) - unclear
    counts = {f"{shown:,} {'is' if shown == 1 else 'are'} shown not to be": shown, f"{unclear:,} can't be told": unclear}
    told = ", ".join(words for words, number in counts.items() if number)
    return f"; {told}" if told else ""


def doubts(pairs: Sequence[Pair], settings: Settings) -> list[str]:
    """The sentences on rows that don't tell whether their model is worse, with the number of users that would."""
    told = dict(enumerate(sentences(pairs, settings)))
    rows = [
        {"place": place, "deviation": pair.std_error * pair.users**0.5, "users": pair.users}
        for place, pair in enumerate(pairs)
        if pair.verdict != "untested" and pair.std_error and settings.looks != "many"
    ]
    for row in over_result("not_worse", pa.Table.from_pylist(rows), **vars(settings)).to_pylist() if rows else ():
        pair = pairs[row["place"]]
        found = f"{name_of(pair.model)} on {pair.on}: difference {pair.difference_text}"
        told[row["place"]] = f"{found}; {row['needs']} (in {cases(settings.power)}, if the models are equal)."
    return [*told.values()]


def incomparable_pairs(result: pa.Table, limit: float | str | None) -> Iterator[str]:
    """The sentences on pairs of models that are not comparable: one has no lists for too many users of the other."""
    refuse_no_share(limit)
    most, metadata = 0.5 if limit is None else float(limit), metadata_of(result)
    way = either("max_missing", flag("max_missing"))
    for name, counts in metadata.get("each", {"": metadata}).items():
        lists = {one["model"]: one["lists"] - one["lists_without_truth"] for one in counts.get("models", ())}
        for pair in counts.get("pairs", ()):
            both = [(pair["baseline"], pair["model"]), (pair["model"], pair["baseline"])]
            for model, other in both[: 1 if limit is None else 2]:
                without = lists[other] - pair["shared_lists"]
                if without > most * lists[other]:
                    of = f"{without:,} of the {lists[other]:,} users with truth for whom {name_of(other)} has one"
                    where = f" in data set {name_of(name)}" if name else ""
                    yield f"Not comparable: {name_of(model)} has no list{where} for {of}; {way} allows more."


def refuse_no_share(limit: float | str | None) -> None:
    if limit is not None and (not isinstance(limit, int | float) or not 0 <= limit <= 1):
        raise RecsqlError(f"max_missing: {limit} is not a share from 0 to 1; give the share of lists that may be missing")
