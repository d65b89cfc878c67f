"""A gate for CI: whether a comparison shows that a model is worse than the baseline, or that all are better."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.text import counted
from recsql.base.wording import all_rows, either, flag
from recsql.catalog.headers import Given
from recsql.display.comparison import pairs_of, settings_of
from recsql.display.comparison_text import MOST, hidden, name_of, result_sentence, unequal_lines
from recsql.display.notes import population
from recsql.query.results import metadata_of

WORSE, NOT_BETTER = "worse", "not-better"
ALTERNATIVES = {WORSE: "less", NOT_BETTER: "greater"}  # the alternative that each gate tests
SUBJECTS = {
    WORSE: ("no model is", "a model is"),
    NOT_BETTER: ("every model is", "a model is not"),
}  # how a sentence begins if the gate passes, and if it fails


class Outcome(NamedTuple):
    """Whether a gate fails, with a sentence on all comparisons, then one on each that decided it."""

    fails: bool
    lines: Sequence[str]


def options_for(fail_if: str, margin: float | str = 0.0) -> dict[str, Given]:
    """The options that `compare` needs for a gate; a difference up to `margin` doesn't matter.

    "worse" fails if a model is shown to be worse than the baseline by more than the margin. "not-better" fails unless every
    model is shown to be better by more than the margin. Raises RecsqlError if the margin is not a number from 0 on.
    """
    if not isinstance(margin, int | float) or not isfinite(margin) or margin < 0:
        raise RecsqlError(f"margin: {margin} is not a number of at least 0; give the largest difference that doesn't matter")
    return {"alternative": ALTERNATIVES[fail_if], "margin": margin if fail_if == WORSE else 0.0 - margin}


def apply_gate(result: pa.Table, fail_if: str, max_missing: float | str | None = None) -> Outcome:
    """Judges a result of `compare` that was called with the options that `options_for` gives.

    A comparison that can't be tested shows nothing: "worse" says so and doesn't fail for it, and "not-better" does. Each segment
    of a slice is a comparison. The models are not comparable, and both gates fail, if the baseline has no list for more than half
    of the users with truth for whom a model has one. `max_missing` is another share than half, for the lists of every model.

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
        return Outcome(True, [*apart, *population(result)])
    deciding = [pair for pair in pairs if pair.is_shown == (fail_if == WORSE)]
    lost = [pair for pair in pairs if fail_if == WORSE and hidden(pair, settings.interval)]
    untested = [pair for pair in pairs if fail_if == WORSE and pair.verdict in ("untested", "same")]
    unknown = sum(pair.verdict == "untested" for pair in untested)
    passed, failed = SUBJECTS[fail_if]
    better = "worse" if fail_if == WORSE else "better"
    margin = f" by more than {abs(settings.margin):g}" if settings.margin else ""
    where = f"{len(deciding):,} of {len(pairs):,} comparisons" if deciding else counted(len(pairs), "comparison")
    doubt = "Can't be tested" if unknown == len(pairs) else f"Passed, but {unknown:,} of {len(pairs):,} can't be tested"
    begun = f"Failed: {failed}" if deciding else f"{doubt if unknown else 'Passed'}: {passed}"
    lines = [f"{begun} shown to be {better} than {name_of(settings.baseline)}{margin}, in {where}."]
    for told in (deciding, lost, untested):
        lines += [f"Not tested: {len(untested):,} of these."] if told and told is untested else []
        lines += [result_sentence(pair, settings) for pair in told[:MOST]]
        lines += [f"... and {len(told) - MOST:,} more: {all_rows()}"] if len(told) > MOST else []
    return Outcome(bool(deciding), [*lines, *unequal_lines(result), *population(result)])


def incomparable_pairs(result: pa.Table, limit: float | str | None) -> Iterator[str]:
    """The sentences on pairs of models that are not comparable: one has no lists for too many users of the other."""
    refuse_no_share(limit)
    most, metadata = 0.5 if limit is None else float(limit), metadata_of(result)
    lists = {one["model"]: one["lists"] - one["lists_without_truth"] for one in metadata.get("models", ())}
    way = either("max_missing", flag("max_missing"))
    for pair in metadata.get("pairs", ()):
        both = [(pair["baseline"], pair["model"]), (pair["model"], pair["baseline"])]
        for model, other in both[: 1 if limit is None else 2]:
            without = lists[other] - pair["shared_lists"]
            if without > most * lists[other]:
                of = f"{without:,} of the {lists[other]:,} users with truth for whom {name_of(other)} has one"
                yield f"Not comparable: {name_of(model)} has no list for {of}; {way} allows more."


def refuse_no_share(limit: float | str | None) -> None:
    if limit is not None and (not isinstance(limit, int | float) or not 0 <= limit <= 1):
        raise RecsqlError(f"max_missing: {limit} is not a share from 0 to 1; give the share of lists that may be missing")
