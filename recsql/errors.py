"""The one family of errors: each says in one sentence what was found, where, and the way out."""

import sys
import warnings
from collections.abc import Iterable
from difflib import get_close_matches


class RecsqlError(ValueError):
    """What was asked can't be computed; the message is one sentence for people, and says all: no other error is chained to it."""


class UnknownName(RecsqlError):
    """A metric, option or value that doesn't exist; the message gives the nearest that do."""


class BadInput(RecsqlError):
    """The data can't be measured as they are: a missing file or column, a NULL id, a rank of 0."""


class NoSuchFile(BadInput):
    """A path leads nowhere."""


class EngineError(RecsqlError):
    """The database failed: its own words, with the SQL that it ran as `statement`; its error is chained as `__cause__`."""

    def __init__(self, message: str, statement: str = "") -> None:
        super().__init__(message)
        self.statement = statement


def warn(sentence: str) -> None:
    """A warning that names the line of the user's that has led to it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("recsql", "contextlib"):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, UserWarning, stacklevel=level)


def table_there(name: str) -> BadInput:
    """That a table to be made is there already."""
    return BadInput(f"into: table {name} already exists; drop it first, or choose another name")


def nearest(name: str, candidates: Iterable[str]) -> str:
    """'did you mean ...? ' for the candidate closest to `name`, or nothing where none is close."""
    spelt = {one.lower(): one for one in candidates}
    close = get_close_matches(name.lower(), spelt, n=1, cutoff=0.6)
    return f"did you mean {spelt[close[0]]}? " if close else ""
