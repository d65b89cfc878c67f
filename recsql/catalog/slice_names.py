"""How a call names its slices: columns, crossed columns, and numbers that are cut into ranges or quantiles."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from recsql.base.errors import RecsqlError
from recsql.base.text import real

NONE = "(none)"  # the segment of users without one, in tables for people
ACTIVITY = "train.activity"  # the number of a user's rows in train
# The grammar. The macros of the shell have the same patterns, so these use only what Python and RE2 share.
BLANK, BLANKS = " \\t\\r\\n", " \t\r\n"
AFTER_COMMA = r",((?:\[[^\[\]]*\]|[^,])*)"  # a comma in brackets separates the ends of ranges
CROSSED = f"[{BLANK}]+x[{BLANK}]+"
CUT = rf"(?s:(.+?))[{BLANK}]*\[([^\[\]]*)\]"
QUANTILES = "q[0-9]{1,9}"
MOST_QUANTILES = 100


@dataclass(frozen=True)
class Range:
    """The numbers from the end of the range before to below `end`, which is SQL; `segment` is that of their users."""

    end: str
    segment: str


@dataclass(frozen=True)
class Cut:
    """How numbers are cut: at the ends of ranges or into quantiles; without either, not at all."""

    ends: tuple[float, ...] = ()
    quantiles: int = 0
    whole: bool = False  # the numbers are whole and not negative

    def __bool__(self) -> bool:
        return bool(self.ends or self.quantiles)

    @property
    def labels(self) -> list[str]:
        """The segments, lowest first; empty if each value is a segment."""
        if self.quantiles:
            return [f"q{n:0{len(str(self.quantiles))}}" for n in range(1, self.quantiles + 1)]
        if not self.ends:
            return []
        first, last = end_as_text(self.ends[0]), end_as_text(self.ends[-1])
        if self.whole:
            ranges = [(int(low), int(high) - 1) for low, high in pairwise((0, *self.ends))]
            return [*(f"{low}-{high}" if low < high else f"{low}" for low, high in ranges), f"{last}+"]
        return [f"< {first}", *(f"{end_as_text(low)} to < {end_as_text(high)}" for low, high in pairwise(self.ends)), f"{last}+"]

    @property
    def ranges(self) -> "list[Range]":
        """The ranges that have an end; the last one has none."""
        return [Range(real(end), label) for end, label in zip(self.ends, self.labels, strict=False)]

    def label(self, number: float) -> str:
        """The segment of a number that is cut into ranges."""
        return self.labels[sum(end <= number for end in self.ends)]


BANDS = Cut((1.0, 3.0, 21.0, 101.0), whole=True)  # of the activity, if the call gives no ends


class SliceName(str):
    """A slice as a call names it, such as "country x age[18,25]"; `columns` has its columns and their cuts."""

    columns: tuple[tuple[str, Cut], ...]

    @classmethod
    def parse(cls, text: str) -> "SliceName":
        """Raises RecsqlError if a cut is wrong."""
        parts = [part.strip(BLANKS) for part in re.split(CROSSED, text.strip(BLANKS))]
        made = cls(" x ".join(parts))
        made.columns = tuple(map(column_in, parts))
        return made

    @property
    def by_activity(self) -> bool:
        """Whether it groups users by the number of their rows in train."""
        return any(column == ACTIVITY for column, _ in self.columns)


def names_in(value: object) -> tuple[SliceName, ...]:
    """The slices in the value of the option `by`: a text with commas between them, or a list.

    Raises RecsqlError if it names none, or one twice.
    """
    texts = re.findall(AFTER_COMMA, f",{value}") if isinstance(value, str) else value
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise RecsqlError(f"by: {value!r} does not name columns; give a name such as 'country', or a list of names")
    if not texts or not all(text.strip(BLANKS) for text in texts):
        raise RecsqlError(f"by: {value!r} does not name a column; give a name such as 'country', or several")
    named = tuple(map(SliceName.parse, texts))
    in_lower = [name.lower() for name in named]
    if twice := [name for name in named if in_lower.count(name.lower()) > 1]:
        raise RecsqlError(f"by: {twice[0]} is named twice; name each slice once")
    return named


def column_in(part: str) -> tuple[str, Cut]:
    """Parses a column of a slice and its cut; raises RecsqlError if the cut is wrong."""
    found = re.fullmatch(CUT, part)
    column, cut = (found[1], cut_in(part, found[2])) if found else (part, Cut())
    if column == ACTIVITY:
        if found and (not cut.ends or cut.ends[0] < 1 or any(end % 1 for end in cut.ends)):
            raise RecsqlError(f"by: {part}: the activity is cut at whole numbers from 1, as in train.activity[1,10,100]")
        cut = Cut(cut.ends, whole=True) if cut else BANDS
    return column, cut


def cut_in(part: str, text: str) -> Cut:
    """Parses the cut in the brackets after a column."""
    if re.fullmatch(QUANTILES, text.strip(BLANKS)):
        quantiles = int(text.strip(BLANKS)[1:])
        if not 2 <= quantiles <= MOST_QUANTILES:
            raise RecsqlError(f"by: {part}: give from 2 to {MOST_QUANTILES} quantiles, as in activity[q4]")
        return Cut(quantiles=quantiles)
    try:
        ends = tuple(map(float, text.split(",")))
    except ValueError:
        ends = ()
    if not ends or not all(map(isfinite, ends)) or any(low >= high for low, high in pairwise(ends)):
        raise RecsqlError(
            f"by: {part}: give the ends of ranges in ascending order, as in age[18,25,35], or quantiles, as in age[q4]"
        )
    return Cut(ends)


def end_as_text(end: float) -> str:
    return f"{end!r}".removesuffix(".0")
